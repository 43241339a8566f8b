/** The names of what a file defines, with the namespaces and classes around it. */

import { isNameOfLibrary } from './library-names.ts';
import { itemAt, type ModuleItem } from './module-item.ts';
import { isOwnNameOf } from './own-names.ts';
import type { ClassDefinition, Declaration, FunctionDefinition, Module, Statement, TypeReference } from './program.ts';

export interface Named {
  readonly kind: 'type' | 'function' | 'variable';
  /** `gpu::detail::Buffer`. */
  readonly full: string;
  /** `Buffer`, and `Mode::fast` of an enumerator. */
  readonly plain: string;
  /** Of a class, as written. */
  readonly bases: readonly string[];
  /** Of another name for a type: that type. */
  readonly stands?: TypeReference;
}

/** `using namespace a;`, `using a::f;`, and the namespace in which it stands. */
export type UsingIn = Extract<Statement, { readonly kind: 'using' }> & { readonly namespace: string };

export interface FullPaths {
  readonly named: readonly Named[];
  /** The full name of one of the module's functions, classes or globals. */
  readonly pathOf: (definition: object) => string;
  readonly usings: readonly UsingIn[];
  /** What stands before the names that only this file sees; null where none are told apart. */
  readonly ownSpace: string | null;
}

export function join(path: string, name: string): string {
  return path === '' || name === '' ? path + name : `${path}::${name}`;
}

/** What stands before the last `::`; nothing where there is none. */
export function outerOf(full: string): string {
  const end = full.lastIndexOf('::');
  return end < 0 ? '' : full.slice(0, end);
}

/** What stands behind the last `::`. */
export function lastPart(full: string): string {
  // Most names have none, and one letter is found faster than two.
  if (!full.includes(':')) return full;
  const end = full.lastIndexOf('::');
  return end < 0 ? full : full.slice(end + 2);
}

/** `classNames`: plain names of the program's classes. Not of TypeScript, whose files are modules of their own: there everything is known by its plain name. */
export function fullPaths(module: Module, classNames: ReadonlySet<string>): FullPaths {
  const { items } = module;
  const paths = new Map<object, string>();
  const pathOf = (definition: object): string => paths.get(definition) ?? '';
  if (items === null) return { named: [], pathOf, usings: [], ownSpace: null };
  const named: Named[] = [];
  const note = (
    kind: Named['kind'],
    definition: object,
    full: string,
    plain: string,
    bases: readonly string[] = [],
  ): void => {
    paths.set(definition, full);
    named.push({ kind, full, plain, bases });
  };
  const ownSpace = module.own?.space ?? null;
  const isOwn = module.own ? isOwnNameOf(module, module.own.declared) : null;
  const namespaceAt = (offset: number): string => itemAt(items, offset)?.namespace ?? '';
  /** The namespaces around a definition, and what tells it from others of its name if only this file sees it. */
  const aroundOf = (definition: ClassDefinition | FunctionDefinition | Declaration): string => {
    const namespace = namespaceAt(definition.span.start);
    return isOwn?.(definition) ? join(namespace, ownSpace!) : namespace;
  };
  const classes = [...module.classes].sort(
    (first, second) => first.span.start - second.span.start || second.span.end - first.span.end,
  );
  const open: { readonly end: number; readonly full: string }[] = [];
  for (const definition of classes) {
    while (open.length > 0 && open.at(-1)!.end <= definition.span.start) open.pop();
    const around = definition.enclosing ? open.at(-1)?.full : undefined;
    const full = join(join(around ?? aroundOf(definition), definition.within ?? ''), definition.name);
    open.push({ end: definition.span.end, full });
    if (isToldApart(definition)) note('type', definition, full, definition.name, definition.bases);
    else paths.set(definition, full);
    const template = definition.specialises ? definition.name.slice(0, definition.name.indexOf('<')) : '';
    // `template <class T> class unique_ptr;`: what only its specialisations define.
    if (isNameOfLibrary(template))
      named.push({ kind: 'type', full: full.slice(0, full.indexOf('<')), plain: template, bases: [] });
    // What a class template calls so hangs on what it is made for.
    if (isToldApart(definition) && definition.templateParameters.length === 0)
      for (const [name, type] of definition.aliases ?? []) noteAlias(named, full, name, type);
  }
  for (const { namespace, name, type } of module.aliasesIn ?? [])
    noteAlias(named, ownSpace === null ? namespace : join(namespace, ownSpace), name, type);
  for (const definition of module.functions) {
    const full = join(aroundOf(definition), definition.name);
    if (isPlainFunction(definition, classNames)) note('function', definition, full, lastPart(full));
    else paths.set(definition, full);
  }
  for (const declaration of module.globals)
    if (/^[\w:]+$/.test(declaration.name))
      note('variable', declaration, join(aroundOf(declaration), declaration.name), declaration.name);
    else paths.set(declaration, join(aroundOf(declaration), declaration.name));
  return { named, pathOf, usings: items.flatMap(usingsOf), ownSpace };
}

function usingsOf({ usings, namespace }: ModuleItem): UsingIn[] {
  return usings.map((using) => ({ ...using, namespace }));
}

/** `using Buffer = detail::Buffer` is known by the plain name already. */
function noteAlias(named: Named[], path: string, name: string, type: TypeReference): void {
  if (!/^\w+$/.test(name) || lastPart(type.name) === name) return;
  named.push({ kind: 'type', full: join(path, name), plain: name, bases: [], stands: type });
}

/** Specialisations go with their template; classes without a name have one that tells them apart. */
function isToldApart({ name }: ClassDefinition): boolean {
  return /^\w+$/.test(name);
}

/** No method: what stands before its name, if anything, is a namespace. */
function isPlainFunction(
  { name, className, body, isKernel }: FunctionDefinition,
  classNames: ReadonlySet<string>,
): boolean {
  if (className !== null && classNames.has(lastPart(className))) return false;
  return (body !== null || isKernel) && /^[\w:]+$/.test(name);
}

/** `operator+`, as opposed to `operator int`. */
export function isOperator(name: string): boolean {
  return /^operator\W/.test(name) && !name.startsWith('operator ');
}
