/** All modules of a program, linked by name. */

import { Attached } from '../base/attached.ts';
import { instantiatedAlias } from '../program/alias-templates.ts';
import { arrayMeant, wholeArray } from '../program/array-pointer.ts';
import { withoutDeclared } from '../program/declared-elsewhere.ts';
import { isOperator, lastPart } from '../program/full-names.ts';
import { namesakesOf } from '../program/namesakes.ts';
import type {
  ClassDefinition,
  Declaration,
  FunctionDefinition,
  MacroBody,
  MacroDefinition,
  Module,
  Statement,
  TypeReference,
} from '../program/program.ts';
import { isSameType } from '../program/same-type.ts';
import { tellApart } from '../program/told-apart.ts';
import { isType, typeNamed } from '../program/type-named.ts';
import { withOtherNamesakes } from '../program/unseen-namesakes.ts';
import { writtenNames } from '../program/written-names.ts';
import { addTypeMacros } from './macro-types.ts';

export { lastPart };

export interface ProgramTable {
  readonly modules: readonly Module[];
  /** By name, and by the full one where several namespaces have one of that name. */
  readonly functions: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** By plain name: what namespaces have of a name that goes by itself for another function. */
  readonly namesakes: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** Each of them once. */
  allFunctions(): readonly FunctionDefinition[];
  /** Functions that are declared, whether or not they are defined here. */
  readonly prototypes: ReadonlyMap<string, readonly FunctionDefinition[]>;
  readonly classes: ReadonlyMap<string, ClassDefinition>;
  readonly aliases: ReadonlyMap<string, TypeReference>;
  readonly globals: readonly Declaration[];
  /** Names of the operators that the program defines, for whatever class. */
  readonly operators: ReadonlySet<string>;
  /** Conversion operators, by class. */
  readonly conversions: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** Specialisations of class templates, by the template's name. */
  readonly specialisations: ReadonlyMap<string, readonly ClassDefinition[]>;
  /** `using enum E;` outside of functions. */
  readonly usedEnums: readonly string[];
  /** Names of static members, of whatever class. */
  readonly staticMembers: ReadonlySet<string>;
  readonly statements: readonly Statement[];
  /** It is TypeScript: objects that calls return are shared, not copied. */
  readonly isScript: boolean;
  /** A name as people know it: a class that shares its own with others goes by another one in here. */
  written(name: string): string;
  /** The class that stands for a type of the library here; null for most. */
  readonly standsFor?: (type: TypeReference) => TypeReference | null;
  /** Takes in a class that is defined inside a function; its name must tell which. */
  define(definition: ClassDefinition): void;
  macro(name: string): MacroDefinition | undefined;
  expand(name: string): MacroBody | null;
}

/** Links modules; the first is the primary file, the others what it includes. */
export function linkProgram(given: readonly Module[]): ProgramTable {
  const { modules, ...toldApart } = tellApart(given);
  const functions = new Map<string, readonly FunctionDefinition[]>();
  const classes = new Map<string, ClassDefinition>();
  const aliases = new Map<string, TypeReference>();
  const macros = new Map<string, Module>();
  const prototypes = new Map<string, readonly FunctionDefinition[]>();
  const addFunction = (definition: FunctionDefinition): void => {
    const known = [...(functions.get(definition.name) ?? [])];
    const same = known.findIndex((other) => sameSignature(other, definition));
    if (same >= 0 && known[same]!.body === null) known[same] = declaredAs(definition, known[same]!);
    else if (same < 0 || definition.body !== null) known.push(definition);
    functions.set(definition.name, known);
  };
  for (const module of modules) {
    // Classes of one name in two files: the one nearer to the file in hand is meant.
    const own = new Map(module.classes.map((definition) => [definition.name, definition]));
    for (const [name, definition] of own) if (!classes.has(name)) classes.set(name, definition);
    for (const [name, type] of module.aliases) aliases.set(name, type);
    for (const name of module.macros.keys()) if (!macros.has(name)) macros.set(name, module);
  }
  addTypeMacros(aliases, classes, modules);
  addClassAliases(aliases, classes);
  for (const [full, name] of toldApart.classes) if (full !== name) aliases.set(full, typeNamed(name));
  for (const [name, type] of toldApart.aliases) aliases.set(name, type);
  for (const [name, definition] of classes)
    classes.set(name, withBasesByName(withOtherNamesakes(definition, classes, aliases), classes, aliases));
  for (const module of modules) {
    for (const definition of module.classes)
      if (classes.get(definition.name)?.span.file === module.file)
        for (const method of definition.methods) addFunction(method);
    for (const definition of module.functions) {
      const plain = withNamespaceStripped(definition, classes);
      if (plain.body || plain.isKernel || plain.className) addFunction(plain);
      else prototypes.set(plain.name, [...(prototypes.get(plain.name) ?? []), plain]);
    }
  }
  for (const [name, declarations] of prototypes) {
    const definitions = functions.get(name);
    if (!definitions) continue;
    const declared = declarations.reduce(
      (known, declaration) =>
        known.map((each) => (sameSignature(each, declaration) ? declaredAs(each, declaration) : each)),
      definitions,
    );
    functions.set(name, declared);
  }
  // The outermost of a name goes by the name that all of them had so far.
  const own = [...toldApart.functions].map(([full, definitions]) => {
    const places = new Set(definitions.map(({ span }) => `${span.file}:${span.start}`));
    const linked = functions.get(lastPart(full)) ?? [];
    return [full, linked.filter(({ span }) => places.has(`${span.file}:${span.start}`))] as const;
  });
  for (const [full, definitions] of own) functions.set(full, definitions);
  const namesakes = namesakesOf(functions, [...toldApart.functions.keys()]);
  const conversions = conversionsOf(functions);
  const operators = new Set([...functions.keys()].map(lastPart).filter(isOperator));
  // What a file of TypeScript imports is run before it.
  const inOrder = [...modules.slice(1), ...modules.slice(0, 1)];
  const globals = withoutDeclared([...modules].reverse().flatMap((module) => module.globals));
  let all: readonly FunctionDefinition[] | null = null;
  return {
    modules,
    functions,
    namesakes,
    allFunctions: () => {
      all ??= [...new Set([...functions.values()].flat())];
      return all;
    },
    prototypes,
    classes,
    aliases,
    globals,
    operators,
    conversions,
    specialisations: specialisationsOf(classes),
    usedEnums: usedEnumsOf(modules, classes),
    staticMembers: new Set([
      ...[...classes.values()].flatMap(({ fields }) => fields.flatMap((each) => (each.isStatic ? [each.name] : []))),
      ...globals.flatMap(({ name }) => (name.includes('::') ? [lastPart(name)] : [])),
    ]),
    isScript: modules[0]?.isScript === true,
    statements: inOrder.flatMap((module) => module.statements),
    written: writtenNames(toldApart.classes),
    define: (definition) => {
      all = null;
      define({ functions, classes, operators, conversions }, definition);
    },
    macro: (name) => macros.get(name)?.macros.get(name),
    expand: (name) => macros.get(name)?.expandMacro(name) ?? null,
  };
}

/** The enumerations whose enumerators go by their plain names in a class or a file. */
function usedEnumsOf(modules: readonly Module[], classes: ReadonlyMap<string, ClassDefinition>): readonly string[] {
  const inClasses = [...classes.values()].flatMap(({ usesEnums }) => usesEnums ?? []);
  const usings = modules.flatMap(({ items }) => (items ?? []).flatMap((item) => item.usings));
  return [...inClasses, ...usings.flatMap(({ isEnum, name }) => (isEnum ? [name] : []))].map(lastPart);
}

/**
 * Other names for types that classes define. Without the class before it such a name is known where it means the same in all of
 * them, and does not hang on what a class template is made for.
 */
function addClassAliases(aliases: Map<string, TypeReference>, classes: ReadonlyMap<string, ClassDefinition>): void {
  const own = new Map<string, TypeReference | null>();
  for (const definition of classes.values())
    for (const [name, type] of definition.aliases ?? []) {
      if (definition.templateParameters.some((parameter) => mentionsType(type, parameter.replace('...', '')))) continue;
      aliases.set(`${definition.name}::${name}`, type);
      const known = own.get(name);
      own.set(name, known === undefined || (known && isSameType(known, type)) ? type : null);
    }
  for (const [name, type] of own) if (type && !aliases.has(name) && !classes.has(name)) aliases.set(name, type);
}

/** `T`, `T...`, `T::type`, `F<T>::type`, `Buffer<T>` */
function mentionsType(type: TypeReference, name: string): boolean {
  const end = type.name.indexOf('::');
  const first = end < 0 ? type.name.replace('...', '') : type.name.slice(0, end);
  return (
    first === name ||
    (type.qualifier !== undefined && mentionsType(type.qualifier, name)) ||
    type.arguments.some((each) => (isType(each) ? mentionsType(each, name) : each.kind !== 'number'))
  );
}

function specialisationsOf(
  classes: ReadonlyMap<string, ClassDefinition>,
): ReadonlyMap<string, readonly ClassDefinition[]> {
  const out = new Map<string, ClassDefinition[]>();
  for (const definition of classes.values()) {
    if (!definition.specialises) continue;
    const name = definition.name.slice(0, definition.name.indexOf('<'));
    out.set(name, [...(out.get(name) ?? []), definition]);
  }
  return out;
}

/** The parts of a table that a local class adds to. */
interface OpenTable {
  readonly functions: Map<string, readonly FunctionDefinition[]>;
  readonly classes: Map<string, ClassDefinition>;
  readonly operators: Set<string>;
  readonly conversions: Map<string, readonly FunctionDefinition[]>;
}

function define(table: OpenTable, definition: ClassDefinition): void {
  const { functions, classes, operators, conversions } = table;
  const methods = new Map<string, FunctionDefinition[]>();
  for (const each of definition.methods) methods.set(each.name, [...(methods.get(each.name) ?? []), each]);
  classes.set(definition.name, definition);
  for (const [name, definitions] of methods) {
    functions.set(name, definitions);
    if (isOperator(lastPart(name))) operators.add(lastPart(name));
  }
  for (const [name, own] of conversionsOf(methods)) conversions.set(name, own);
}

function conversionsOf(
  functions: ReadonlyMap<string, readonly FunctionDefinition[]>,
): Map<string, readonly FunctionDefinition[]> {
  const conversions = new Map<string, readonly FunctionDefinition[]>();
  for (const [name, definitions] of functions) {
    const at = name.indexOf('::operator ');
    if (at >= 0) conversions.set(name.slice(0, at), [...(conversions.get(name.slice(0, at)) ?? []), ...definitions]);
  }
  return conversions;
}

function sameSignature(first: FunctionDefinition, second: FunctionDefinition): boolean {
  return (
    first.parameters.length === second.parameters.length &&
    first.ofInstance === second.ofInstance &&
    !first.isConst === !second.isConst &&
    first.parameters.every((parameter, index) => {
      const [one, other] = [parameter.type, second.parameters[index]!.type];
      if (one.isReference && one.isConst !== other.isConst) return false;
      return one.name === other.name && one.pointers === other.pointers && !one.takesMoved === !other.takesMoved;
    })
  );
}

/** A definition with what only its declaration says: default arguments, `static`, `virtual`. */
function declaredAs(definition: FunctionDefinition, declaration: FunctionDefinition): FunctionDefinition {
  return {
    ...definition,
    parameters: definition.parameters.map((parameter, index) => ({
      ...parameter,
      defaultValue: parameter.defaultValue ?? declaration.parameters[index]?.defaultValue ?? null,
    })),
    isStatic: definition.isStatic || (definition.className !== null && declaration.isStatic),
    isVirtual: definition.isVirtual || declaration.isVirtual,
  };
}

/** `ns::Class::f` defined outside is the method `Class::f`; `ns::f` is the function `f`. */
function withNamespaceStripped(
  definition: FunctionDefinition,
  classes: ReadonlyMap<string, ClassDefinition>,
): FunctionDefinition {
  if (!definition.className) return definition;
  const owner = definition.className.split('::').at(-1)!;
  const last = definition.name.slice(definition.className.length + 2);
  if (classes.has(owner)) return { ...definition, className: owner, name: `${owner}::${last}` };
  const template = owner.slice(0, Math.max(0, owner.indexOf('<')));
  if (classes.has(template) && !last.includes('<'))
    return { ...definition, className: template, name: `${template}::${last}`, ofInstance: owner };
  return { ...definition, className: null, name: last };
}

/** A class whose bases go by the names of their classes: `struct D : Base` where `using Base = Owner<float>`. */
function withBasesByName(
  definition: ClassDefinition,
  classes: ReadonlyMap<string, ClassDefinition>,
  aliases: ReadonlyMap<string, TypeReference>,
): ClassDefinition {
  const isClass = (name: string): boolean => classes.has(name) || classes.has(lastPart(name));
  const { bases } = definition;
  if (bases.length === 0 || bases.every((name) => isClass(name) || !aliases.has(name))) return definition;
  const types = definition.baseTypes ?? bases.map((name) => typeNamed(name));
  const baseTypes = types.map((written) => {
    let type = written;
    for (let step = 0; step < 8 && !isClass(type.name); step++) type = aliased({ aliases }, type) ?? type;
    return isClass(type.name) && type.pointers === 0 ? type : written;
  });
  return { ...definition, bases: baseTypes.map(({ name }) => name), baseTypes, basesAsWritten: bases };
}

/** What a class calls so, as it stands there: also where that hangs on what the class is made for. */
export function typeNamedIn(program: ProgramTable, className: string, name: string): TypeReference | undefined {
  const known = program.aliases.get(`${className}::${name}`);
  return known ?? findClass(program, className)?.aliases?.find(([alias]) => alias === name)?.[1];
}

/** Whether a class stands on another of which only the name is seen, and which is not the library's: that may have members of any name. */
export function hasUnseenBase(program: ProgramTable, className: string, depth = 0): boolean {
  const definition = depth > 8 ? undefined : findClass(program, className);
  if (!definition) return false;
  return definition.bases.some((base) =>
    findClass(program, base)
      ? hasUnseenBase(program, base, depth + 1)
      : !base.startsWith('std::') && !definition.templateParameters.includes(base),
  );
}

/** Follows aliases to the type they stand for, adding pointer levels. Bounded, so that a cycle ends. */
export function resolveType(program: ProgramTable, type: TypeReference): TypeReference {
  let current = arrayMeant(type) ?? type;
  if (program.aliases.size === 0 && !program.standsFor) return current;
  for (let step = 0; step < 16; step++) {
    const target = aliased(program, current) ?? program.standsFor?.(current);
    if (!target) return current;
    current = arrayMeant(target) ?? target;
  }
  return current;
}

/** What a name for another type stands for, one step further; null for any other type. */
export function aliased(program: Pick<ProgramTable, 'aliases'>, type: TypeReference): TypeReference | null {
  const target =
    program.aliases.get(type.name) ?? (type.name.includes(':') ? program.aliases.get(lastPart(type.name)) : undefined);
  if (!target || target.name === type.name) return null;
  const meant = target.parameters ? instantiatedAlias(target, target.parameters, type.arguments) : target;
  // `using Tile = float[4][4]; Tile *tiles;`
  if (type.pointers > 0 && target.extents.length > 0)
    return { ...wholeArray(meant), pointers: type.pointers, isReference: type.isReference, extents: type.extents };
  const named = {
    ...meant,
    pointers: meant.pointers + type.pointers,
    isReference: meant.isReference || type.isReference,
    extents: [...type.extents, ...meant.extents],
  };
  return type.takesMoved === undefined || meant.isReference ? named : { ...named, takesMoved: type.takesMoved };
}

const methodTables = new Attached<
  ProgramTable,
  { readonly size: number; readonly methods: ReadonlyMap<string, readonly FunctionDefinition[]> }
>();

/** Methods by their plain name, whatever class they belong to. */
export function methodsOf(program: ProgramTable): ReadonlyMap<string, readonly FunctionDefinition[]> {
  const known = methodTables.get(program);
  // Local classes join while the program runs.
  if (known?.size === program.functions.size) return known.methods;
  const methods = new Map<string, FunctionDefinition[]>();
  for (const [name, definitions] of program.functions)
    if (name.includes('::')) methods.set(lastPart(name), [...(methods.get(lastPart(name)) ?? []), ...definitions]);
  methodTables.set(program, { size: program.functions.size, methods });
  return methods;
}

/** The name under which a class's constructors are found. */
export function constructorOf(className: string): string {
  return `${className}::${lastPart(className)}`;
}

/** The name under which a class's destructor is found. */
export function destructorOf(className: string): string {
  return `${className}::~${lastPart(className)}`;
}

/** The class of that name, with or without its namespace. */
export function findClass(program: ProgramTable, name: string): ClassDefinition | undefined {
  return program.classes.get(name) ?? (name.includes(':') ? program.classes.get(lastPart(name)) : undefined);
}

/** `using Base::Base;` */
export function inheritsConstructors({ takesOver }: ClassDefinition): boolean {
  return takesOver?.some((each) => each === constructorOf(each.slice(0, each.indexOf('::')))) === true;
}
