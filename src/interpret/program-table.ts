/** All modules of a program, linked by name. */

import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  MacroBody,
  MacroDefinition,
  Module,
  Statement,
  TypeReference,
} from '../program/program.ts';

export interface ProgramTable {
  readonly modules: readonly Module[];
  readonly functions: ReadonlyMap<string, readonly FunctionDefinition[]>;
  readonly classes: ReadonlyMap<string, ClassDefinition>;
  readonly aliases: ReadonlyMap<string, TypeReference>;
  readonly globals: readonly Declaration[];
  /** Names of the operators that the program defines, for whatever class. */
  readonly operators: ReadonlySet<string>;
  /** Conversion operators, by class. */
  readonly conversions: ReadonlyMap<string, readonly FunctionDefinition[]>;
  /** Specialisations of class templates, by the template's name. */
  readonly specialisations: ReadonlyMap<string, readonly ClassDefinition[]>;
  /** Names of static members, of whatever class. */
  readonly staticMembers: ReadonlySet<string>;
  readonly statements: readonly Statement[];
  /** A class defined inside a function is there until what comes back is called. */
  declareLocally(definition: ClassDefinition): () => void;
  macro(name: string): MacroDefinition | undefined;
  expand(name: string): MacroBody | null;
}

/** Links modules; the first is the primary file, the others what it includes. */
export function linkProgram(modules: readonly Module[]): ProgramTable {
  const functions = new Map<string, readonly FunctionDefinition[]>();
  const classes = new Map<string, ClassDefinition>();
  const aliases = new Map<string, TypeReference>();
  const macros = new Map<string, Module>();
  const addFunction = (definition: FunctionDefinition): void => {
    const known = [...(functions.get(definition.name) ?? [])];
    const same = known.findIndex(
      (other) => other.parameters.length === definition.parameters.length && sameParameters(other, definition),
    );
    if (same >= 0 && known[same]!.body === null) known[same] = definition;
    else if (same < 0 || definition.body !== null) known.push(definition);
    functions.set(definition.name, known);
  };
  for (const module of modules) {
    for (const definition of module.classes) classes.set(definition.name, definition);
    for (const [name, type] of module.aliases) aliases.set(name, type);
    for (const name of module.macros.keys()) if (!macros.has(name)) macros.set(name, module);
  }
  for (const module of modules) {
    for (const definition of module.classes) for (const method of definition.methods) addFunction(method);
    for (const definition of module.functions) addFunction(withNamespaceStripped(definition, classes));
  }
  const conversions = conversionsOf(functions);
  const operators = new Set([...functions.keys()].map(lastPart).filter(isOperator));
  const globals = [...modules].reverse().flatMap((module) => module.globals);
  return {
    modules,
    functions,
    classes,
    aliases,
    globals,
    operators,
    conversions,
    specialisations: specialisationsOf(classes),
    staticMembers: new Set([
      ...[...classes.values()].flatMap(({ fields }) => fields.flatMap((each) => (each.isStatic ? [each.name] : []))),
      ...globals.flatMap(({ name }) => (name.includes('::') ? [lastPart(name)] : [])),
    ]),
    statements: modules[0]?.statements ?? [],
    declareLocally: (definition) => declareLocally({ functions, classes, operators, conversions }, definition),
    macro: (name) => macros.get(name)?.macros.get(name),
    expand: (name) => macros.get(name)?.expandMacro(name) ?? null,
  };
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

/** `operator+`, as opposed to `operator int`. */
function isOperator(name: string): boolean {
  return /^operator\W/.test(name) && !name.startsWith('operator ');
}

/** The parts of a table that a local class adds to. */
interface OpenTable {
  readonly functions: Map<string, readonly FunctionDefinition[]>;
  readonly classes: Map<string, ClassDefinition>;
  readonly operators: Set<string>;
  readonly conversions: Map<string, readonly FunctionDefinition[]>;
}

function declareLocally(table: OpenTable, definition: ClassDefinition): () => void {
  const { functions, classes, operators, conversions } = table;
  const methods = new Map<string, FunctionDefinition[]>();
  for (const each of definition.methods) methods.set(each.name, [...(methods.get(each.name) ?? []), each]);
  const undo = [replaced(classes, definition.name, definition)];
  for (const [name, definitions] of methods) {
    undo.push(replaced(functions, name, definitions));
    if (isOperator(lastPart(name))) operators.add(lastPart(name));
  }
  const [own] = [...conversionsOf(methods).values()];
  if (own) undo.push(replaced(conversions, definition.name, own));
  return () => {
    for (const each of undo) each();
  };
}

/** Puts a value under a key; what comes back puts the old one there again. */
function replaced<V>(map: Map<string, V>, key: string, value: V): () => void {
  const before = map.get(key);
  map.set(key, value);
  return () => {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  };
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

function sameParameters(first: FunctionDefinition, second: FunctionDefinition): boolean {
  return first.parameters.every((parameter, index) => {
    const other = second.parameters[index]!;
    return parameter.type.name === other.type.name && parameter.type.pointers === other.type.pointers;
  });
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
  return { ...definition, className: null, name: last };
}

/** Follows aliases to the type they stand for, adding pointer levels. Bounded, so that a cycle ends. */
export function resolveType(program: ProgramTable, type: TypeReference): TypeReference {
  let current = type;
  for (let step = 0; step < 16; step++) {
    const target = program.aliases.get(current.name) ?? program.aliases.get(lastPart(current.name));
    if (!target || target.name === current.name) return current;
    current = {
      ...(target.parameters ? instantiated(target, target.parameters, current.arguments) : target),
      pointers: target.pointers + current.pointers,
      isReference: target.isReference || current.isReference,
      extents: [...current.extents, ...target.extents],
    };
  }
  return current;
}

/** An alias template with what its parameters stand for put in. */
function instantiated(
  target: TypeReference,
  names: readonly string[],
  given: TypeReference['arguments'],
): TypeReference {
  const put = (argument: TypeReference | Expression): TypeReference | Expression => {
    if ('kind' in argument) return argument;
    const value = given[names.indexOf(argument.name)];
    if (value === undefined) return { ...argument, arguments: argument.arguments.map(put) };
    return 'kind' in value ? value : { ...value, pointers: value.pointers + argument.pointers };
  };
  return { ...target, arguments: target.arguments.map(put) };
}

/** The part after the last `::`. */
export function lastPart(name: string): string {
  const index = name.lastIndexOf('::');
  return index < 0 ? name : name.slice(index + 2);
}

/** The class of that name, with or without its namespace. */
export function findClass(program: ProgramTable, name: string): ClassDefinition | undefined {
  return program.classes.get(name) ?? program.classes.get(lastPart(name));
}
