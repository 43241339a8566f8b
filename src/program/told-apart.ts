/**
 * Names that stand for several things: `naive::run` and `fused::run`, `Device::Buffer` and `Host::Buffer`. What comes behind this
 * knows functions, classes and variables by their plain names. Where two namespaces, or two classes, define the same one, all but one
 * get a name of their own here, and whatever names them in the text is given it, looked up as C++ does (C++20, [basic.lookup]): from
 * where it stands outwards, then in the namespaces that are used there. What cannot be found so stays as it is written.
 */

import { Attached } from '../base/attached.ts';
import { fullPaths, join, lastPart, type Named, outerOf, type UsingIn } from './full-names.ts';
import { FunctionBody } from './function-body.ts';
import { isNameOfLibrary } from './library-names.ts';
import type { ClassDefinition, Declaration, FunctionDefinition, Module, Statement, TypeReference } from './program.ts';
import { isSameType } from './same-type.ts';

/** Modules whose names mean one thing each. */
export interface ToldApart {
  readonly modules: readonly Module[];
  /** Functions by their full name, for those whose plain name has others, too: where each is defined. */
  readonly functions: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** `Host::Buffer` as written, and what it is called now. */
  readonly classes: ReadonlyMap<string, string>;
  /** Other names for types, by the names that they go by now. */
  readonly aliases: ReadonlyMap<string, TypeReference>;
}

const nothing: ReadonlyMap<string, never> = new Map<string, never>();

/** The modules as they are where every name is defined once. */
export function tellApart(modules: readonly Module[]): ToldApart {
  const classNames = new Set(modules.flatMap((module) => module.classes.map(({ name }) => name)));
  const paths = modules.map((module) => fullPaths(module, classNames));
  const all = paths.flatMap((each) => each.named);
  const names = newNames(all);
  if (names.size === 0) return { modules, functions: nothing, classes: nothing, aliases: nothing };
  const key = [...names].map(([full, name]) => `${full}=${name}`).join(' ');
  const plain = new Set([...names.keys()].map(lastPart));
  const aliases = new Map(modules.flatMap((module) => [...module.aliases].map(([name, type]) => [name, type.name])));
  const standing = all.flatMap(({ full, stands }) => (stands && names.has(full) ? [[full, stands] as const] : []));
  const stands = new Map(standing.map(([full, { name }]) => [full, name]));
  const bases = new Map(all.flatMap(({ full, bases }) => (bases.length > 0 ? [[full, bases] as const] : [])));
  const changed = modules.map((module, index) => {
    const known = rewritten.get(module);
    if (known?.key === key) return known.module;
    const { pathOf, usings, ownSpace } = paths[index]!;
    const result = rewrite(module, pathOf, { names, plain, aliases, stands, bases, usings, ownSpace });
    rewritten.set(module, { key, module: result });
    return result;
  });
  const functions = new Map<string, FunctionDefinition[]>();
  for (const [index, module] of changed.entries())
    for (const [at, definition] of module.functions.entries()) {
      const full = paths[index]!.pathOf(modules[index]!.functions[at]!);
      if (names.has(full)) functions.set(full, [...(functions.get(full) ?? []), definition]);
    }
  const classes = new Map(
    all.flatMap(({ kind, full }) => (kind === 'type' && names.has(full) ? [[full, names.get(full)!] as const] : [])),
  );
  const own = new Map<string, TypeReference>();
  for (const [full, type] of standing) {
    const place = {
      lookup: { names, plain, aliases, stands, bases, usings: [], ownSpace: null },
      path: outerOf(full),
      usings: [],
    };
    own.set(names.get(full)!, replaced(type, { ...place, locals: new Set(type.parameters) }));
  }
  return { modules: changed, functions, classes, aliases: own };
}

const rewritten = new Attached<Module, { readonly key: string; readonly module: Module }>();

/** By full name: the name that it is known by from here on. Only what shares its plain name with something else is there. */
function newNames(all: readonly Named[]): ReadonlyMap<string, string> {
  const sharing = new Map<string, Named[]>();
  for (const each of all) {
    const key = `${each.kind} ${each.plain}`;
    const known = sharing.get(key);
    if (!known) sharing.set(key, [each]);
    else if (known.every(({ full }) => full !== each.full)) known.push(each);
  }
  const names = new Map<string, string>();
  for (const group of sharing.values()) {
    if (group.length < (group.some(isLikeLibrary) ? 1 : 2) || meansOne(group)) continue;
    // The one that stands outermost keeps the plain name.
    const first = group.reduce((best, each) => (depthOf(each.full) < depthOf(best.full) ? each : best));
    for (const each of group) {
      const { plain } = each;
      if (each.kind === 'function' || (each.kind === 'variable' && each !== first)) names.set(each.full, each.full);
      else if (isLikeLibrary(each)) names.set(each.full, ownName(each.full));
      // Another name for a type is not known outside of where it stands.
      else if (each === first && !(each.stands && depthOf(each.full) > 1)) names.set(each.full, plain);
      else names.set(each.full, each.full.replaceAll('::', '__'));
    }
  }
  // `int Buffer::count = 0;`
  for (const { kind, full } of all) {
    const owner = kind === 'variable' ? names.get(outerOf(full)) : undefined;
    if (owner !== undefined) names.set(full, `${owner}::${lastPart(full)}`);
  }
  return names;
}

/** A class of the program, `gpu::vector`, that is no container of the library. */
function isLikeLibrary({ kind, full, plain, stands }: Named): boolean {
  return kind === 'type' && !stands && isNameOfLibrary(plain) && !/^(?:std|cuda|thrust|cub|boost)::/.test(full);
}

function ownName(full: string): string {
  return full.includes('::') ? full.replaceAll('::', '__') : `${full}__own`;
}

/** Other names for one type: it does not matter which of them is meant. */
function meansOne([first, ...others]: readonly Named[]): boolean {
  const type = first?.stands;
  return type !== undefined && others.every(({ stands }) => stands !== undefined && isSameType(type, stands));
}

function depthOf(full: string): number {
  return full.split('::').length;
}

interface Lookup {
  readonly names: ReadonlyMap<string, string>;
  /** Their last parts. */
  readonly plain: ReadonlySet<string>;
  /** Other names for types and namespaces. */
  readonly aliases: ReadonlyMap<string, string>;
  /** What those stand for that are told apart, by their full names. */
  readonly stands: ReadonlyMap<string, string>;
  /** The bases of classes, as written. */
  readonly bases: ReadonlyMap<string, readonly string[]>;
  /** `using namespace a;` and `using a::f;` of the file. */
  readonly usings: readonly UsingIn[];
  /** What stands before the names that only the file sees; they come before those of others. */
  readonly ownSpace: string | null;
}

type Using = Extract<Statement, { readonly kind: 'using' }>;

/** What a name means that is written inside of `path`; null where it means nothing that is told apart. */
function nameAt(lookup: Lookup, path: string, usings: readonly Using[], written: string): string | null {
  const isGlobal = written.startsWith('::');
  const parts = (isGlobal ? written.slice(2) : written).split('::');
  for (let count = parts.length; count > 0; count--) {
    if (!lookup.plain.has(parts[count - 1]!)) continue;
    const full = find(lookup, isGlobal ? '' : path, usings, parts.slice(0, count).join('::'));
    if (full !== null) return [lookup.names.get(full)!, ...parts.slice(count)].join('::');
  }
  return null;
}

function find(lookup: Lookup, path: string, usings: readonly Using[], written: string): string | null {
  // `using a::f;` in a function hides what is called so outside of it.
  for (const used of usings) {
    const found = used.isNamespace ? null : declaredBy(lookup, path, used, written);
    if (found !== null) return found;
  }
  for (let around = path; ; around = outerOf(around)) {
    const ofFile = lookup.ownSpace === null ? null : join(join(around, lookup.ownSpace), written);
    if (ofFile !== null && lookup.names.has(ofFile)) return ofFile;
    const own = join(around, written);
    if (lookup.names.has(own)) return own;
    for (const base of lookup.bases.get(around) ?? []) {
      const inherited = around === '' ? null : findInBase(lookup, outerOf(around), base, written, 0);
      if (inherited !== null) return inherited;
    }
    for (const used of usings) {
      const found = throughUsing(lookup, join(around, used.name), used.isNamespace, written);
      if (found !== null) return found;
    }
    for (const used of lookup.usings) {
      const found = used.namespace === around ? throughUsingOf(lookup, used, written) : null;
      if (found !== null) return found;
    }
    if (around === '') break;
  }
  const end = written.indexOf('::');
  const first = end > 0 ? written.slice(0, end) : '';
  const own = lookup.plain.has(first) ? find(lookup, path, usings, first) : null;
  const target = own === null ? lookup.aliases.get(first) : lookup.stands.get(own);
  if (target === undefined || target === first) return null;
  const from = own === null ? path : outerOf(own);
  return find({ ...lookup, aliases: nothing, stands: nothing }, from, usings, target + written.slice(end));
}

function declaredBy(lookup: Lookup, path: string, { name }: Using, written: string): string | null {
  for (let around = path; ; around = outerOf(around)) {
    const found = throughUsing(lookup, join(around, name), false, written);
    if (found !== null || around === '') return found;
  }
}

/** What stands in a namespace names another from there outwards. */
function throughUsingOf(lookup: Lookup, { namespace, name, isNamespace }: UsingIn, written: string): string | null {
  for (let around = namespace; ; around = outerOf(around)) {
    const found = throughUsing(lookup, join(around, name), isNamespace, written);
    if (found !== null || around === '') return found;
  }
}

function throughUsing({ names }: Lookup, used: string, isNamespace: boolean, written: string): string | null {
  const end = written.indexOf('::');
  const first = end < 0 ? written : written.slice(0, end);
  if (isNamespace) return names.has(join(used, written)) ? join(used, written) : null;
  if (lastPart(used) !== first) return null;
  const full = end < 0 ? used : used + written.slice(end);
  return names.has(full) ? full : null;
}

function findInBase(lookup: Lookup, path: string, base: string, written: string, depth: number): string | null {
  for (let around = path; depth < 4; around = outerOf(around)) {
    const full = join(join(around, base), written);
    if (lookup.names.has(full)) return full;
    for (const next of lookup.bases.get(join(around, base)) ?? []) {
      const found = findInBase(lookup, around, next, written, depth + 1);
      if (found !== null) return found;
    }
    if (around === '') return null;
  }
  return null;
}

/** The module with what its names mean put in. */
function rewrite(module: Module, pathOf: (definition: object) => string, lookup: Lookup): Module {
  const put = <T>(value: T, path: string, locals: ReadonlySet<string>): T =>
    replaced(value, { lookup, path, locals, usings: [] });
  // `R receiver;`: in its class that is the member, whatever else is called so outside.
  const members = new Map(
    module.classes.map((each) => {
      const own = each.fields.filter(({ name, isStatic }) => !isStatic && lookup.plain.has(name));
      return [pathOf(each), own.map(({ name }) => name)] as const;
    }),
  );
  const functionOf = (definition: FunctionDefinition, full: string, around: readonly string[]): FunctionDefinition => {
    const path = outerOf(full);
    const locals = new Set([
      ...(definition.className === null ? [] : (members.get(path) ?? [])),
      ...definition.parameters.map(({ name }) => name),
      ...definition.templateParameters,
      ...around,
    ]);
    const owner = definition.className === null ? undefined : newNameOf(lookup, path);
    const inside = put({ ...definition, name: '', className: null }, path, locals);
    if (owner === undefined) return { ...inside, name: definition.name, className: definition.className };
    return { ...inside, className: owner, name: `${owner}::${methodName(definition.name, lastPart(path), owner)}` };
  };
  const classOf = (definition: ClassDefinition): ClassDefinition => {
    const full = pathOf(definition);
    const name = newNameOf(lookup, full) ?? definition.name;
    const enclosing = definition.enclosing && (newNameOf(lookup, outerOf(full)) ?? definition.enclosing);
    const { bases, methods, ...others } = definition;
    const inner = put({ ...others, name: '' }, full, new Set(definition.templateParameters));
    return {
      ...inner,
      ...(enclosing ? { enclosing } : {}),
      name,
      bases: bases.map((base) => nameAt(lookup, outerOf(full), [], base) ?? base),
      methods: methods.map((method) =>
        functionOf(method, join(full, lastPart(method.name)), definition.templateParameters),
      ),
    };
  };
  const globalOf = (declaration: Declaration): Declaration => {
    const full = pathOf(declaration);
    const inside = put({ ...declaration, name: '' }, outerOf(full), new Set());
    return { ...inside, name: lookup.names.get(full) ?? declaration.name };
  };
  const spaces = new Map(module.aliasesIn?.map(({ name, namespace }) => [name, namespace]));
  const aliasOf = ([name, type]: readonly [string, TypeReference]): [string, TypeReference] => [
    name,
    put(type, spaces.get(name) ?? '', new Set([name, ...(type.parameters ?? [])])),
  ];
  return {
    ...module,
    aliases: new Map([...module.aliases].map(aliasOf)),
    functions: module.functions.map((each) => functionOf(each, pathOf(each), [])),
    classes: module.classes.map(classOf),
    globals: module.globals.map(globalOf),
    get unread() {
      return module.unread;
    },
  };
}

/** What a class is known by from here on; a specialisation, `Buffer<T[]>`, goes by the name of its template. */
function newNameOf({ names }: Lookup, full: string): string | undefined {
  const end = full.indexOf('<');
  if (end < 0) return names.get(full);
  const template = names.get(full.slice(0, end));
  return template === undefined ? undefined : template + full.slice(end);
}

/** `Buffer` and `~Buffer` are called as their class is. */
function methodName(name: string, before: string, owner: string): string {
  const plain = lastPart(name);
  return plain === before ? owner : plain === `~${before}` ? `~${owner}` : plain;
}

interface Place {
  readonly lookup: Lookup;
  readonly path: string;
  /** Names that are variables and template parameters here. */
  readonly locals: ReadonlySet<string>;
  readonly usings: readonly Using[];
}

/** A copy with what names mean put in; the same object where nothing is to be put in. */
function replaced<T>(value: T, place: Place): T;
function replaced(value: unknown, place: Place): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let copies: unknown[] | null = null;
    for (let index = 0; index < value.length; index++) {
      const each: unknown = value[index];
      const put: unknown = replaced(each, place);
      if (put === each) continue;
      copies ??= [...value];
      copies[index] = put;
    }
    return copies ?? value;
  }
  if ('end' in value) return value;
  if (value instanceof FunctionBody)
    return value.map((statements) => replaced(statements, inBody(statements, place)), null);
  let changes: Record<string, unknown> | null = null;
  for (const key of Object.keys(value)) {
    const part: unknown = Reflect.get(value, key);
    if (key !== 'name' && (typeof part !== 'object' || part === null)) continue;
    const put: unknown = key === 'name' ? nameIn(value, part, place) : replaced(part, place);
    if (put === part) continue;
    changes ??= {};
    changes[key] = put;
  }
  return changes ? { ...value, ...changes } : value;
}

/** Names of expressions and of types; what is declared keeps its own. */
function nameIn(owner: object, name: unknown, { lookup, path, locals, usings }: Place): unknown {
  if (typeof name !== 'string' || !('pointers' in owner || ('kind' in owner && owner.kind === 'name'))) return name;
  if ('isOutermost' in owner && owner.isOutermost) {
    const found = nameAt(lookup, '', [], name.startsWith('::') ? name : `::${name}`);
    return found === null || !name.startsWith('::') || found.includes('::') ? (found ?? name) : `::${found}`;
  }
  const end = name.indexOf('::');
  if (locals.has(end < 0 ? name : name.slice(0, end))) return name;
  return nameAt(lookup, path, usings, name) ?? name;
}

/** Where the statements of a body stand, with what they declare and use. */
function inBody(statements: readonly Statement[], place: Place): Place {
  const locals = new Set(place.locals);
  const usings: Using[] = [];
  const see = (value: object): void => {
    if (isUsing(value)) usings.push(value);
    const isDeclared = 'initializer' in value || 'defaultValue' in value || ('kind' in value && value.kind === 'alias');
    if ('name' in value && typeof value.name === 'string' && isDeclared) locals.add(value.name);
    for (const part of Object.values(value))
      if (typeof part === 'object' && part !== null && !('end' in part) && !(part instanceof FunctionBody)) see(part);
  };
  see(statements);
  return { ...place, locals, usings };
}

function isUsing(value: object): value is Using {
  return 'kind' in value && value.kind === 'using';
}
