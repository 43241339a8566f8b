/** Classes for which it makes a difference as what their objects are seen: told once for a program, so that all others cost nothing. */

import { Attached } from '../../base/attached.ts';
import { numbersOf } from '../../program/number-types.ts';
import type { ClassDefinition, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { constructorOf, findClass, lastPart, type ProgramTable } from '../program-table.ts';
import { isType } from '../types/type-arguments.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

const known = new Attached<ProgramTable, ReadonlySet<string>>();

/** Whether it is of such a class, or holds something that is. */
export function goesByView(world: World, value: Value): boolean {
  if (value.kind !== 'record' && value.kind !== 'sequence') return false;
  const classes = known.get(world.program) ?? classesOf(world.program);
  if (classes.size === 0) return false;
  if (value.kind === 'record') return classes.has(value.record.className) || value.record.className === 'std::optional';
  const { elementType } = value.sequence;
  return elementType !== null && classes.has(elementType.name);
}

/** Whether it is one of those classes. */
export function isOfSeenClass({ program }: World, className: string): boolean {
  return (known.get(program) ?? classesOf(program)).has(className);
}

function classesOf(program: ProgramTable): ReadonlySet<string> {
  const found = new Set<string>();
  known.set(program, found);
  if (program.isScript) return found;
  for (const definitions of program.functions.values())
    if (definitions.length > 1) {
      for (const name of toldApartByConst(definitions)) found.add(name);
      for (const name of toldApartByBase(program, definitions)) addWithBases(program, name, found, 0);
    }
  for (const definition of program.classes.values())
    if (
      definition.bases.length > 0 &&
      (redefines(program, definition) || hides(program, definition, 0) || isMadeOfBase(program, definition))
    )
      addWithBases(program, definition.name, found, 0);
  for (let size = -1; size !== found.size && found.size > 0; ) {
    size = found.size;
    for (const definition of program.classes.values()) if (holdsOne(definition, found)) found.add(definition.name);
  }
  return found;
}

/** The classes whose objects two functions of one name take as `const` and as they are. */
function toldApartByConst(definitions: readonly FunctionDefinition[]): readonly string[] {
  const out: string[] = [];
  for (const one of definitions)
    for (const other of definitions) {
      if (one === other || one.parameters.length !== other.parameters.length) continue;
      if (one.isConst && !other.isConst && one.className !== null) out.push(one.className);
      one.parameters.forEach(({ type }, index) => {
        const same = other.parameters[index]!.type;
        if (type.isReference && same.isReference && type.isConst && !same.isConst && type.name === same.name)
          out.push(lastPart(type.name));
      });
    }
  return out;
}

/** The classes that one function of a name takes by reference where another takes one of their bases. */
function toldApartByBase(program: ProgramTable, definitions: readonly FunctionDefinition[]): readonly string[] {
  const out: string[] = [];
  for (const one of definitions)
    for (const [index, { type }] of one.parameters.entries()) {
      if (!type.isReference || !findClass(program, type.name)?.bases.length) continue;
      const isBaseOf = (other: FunctionDefinition): boolean => {
        const taken = other.parameters[index]?.type;
        return taken?.isReference === true && isBase(program, lastPart(type.name), lastPart(taken.name));
      };
      if (definitions.some((other) => other.parameters.length === one.parameters.length && isBaseOf(other)))
        out.push(lastPart(type.name));
    }
  return out;
}

/** `Around(Layer &inner)` of a `struct Around : Layer`: what is seen as a `Layer` is put around, and what is seen as an `Around` is copied. */
function isMadeOfBase(program: ProgramTable, { name }: ClassDefinition): boolean {
  const constructors = program.functions.get(constructorOf(name)) ?? [];
  return constructors.some(
    ({ parameters: [first] }) => first?.type.isReference === true && isBase(program, name, lastPart(first.type.name)),
  );
}

/** Whether a class derives from another one. */
export function isBase(program: ProgramTable, className: string, base: string, depth = 0): boolean {
  const bases = depth > 8 ? [] : (findClass(program, className)?.bases ?? []);
  return bases.some((each) => lastPart(each) === base || isBase(program, lastPart(each), base, depth + 1));
}

/** A method that is there in a base, and is not virtual there or has arguments that nobody needs to write. */
function redefines(program: ProgramTable, { bases, methods }: ClassDefinition): boolean {
  return methods.some(
    (method) => !method.isStatic && bases.some((base) => isToldByView(program, lastPart(base), method, 0)),
  );
}

/**
 * Whether a method of a derived class is surely another one than a virtual one of its name: it takes other numbers, or another number of
 * them, or only one of the two is for `const` objects.
 */
export function isOtherThan(own: FunctionDefinition, ofBase: FunctionDefinition): boolean {
  if (own.parameters.length !== ofBase.parameters.length || !own.isConst !== !ofBase.isConst) return true;
  return own.parameters.some(({ type }, index) => {
    const other = ofBase.parameters[index]!.type;
    const [kind, otherKind] = [numbersOf(type.name), numbersOf(other.name)];
    if (kind === null || otherKind === null) return false;
    return kind !== otherKind || type.pointers !== other.pointers || type.isReference !== other.isReference;
  });
}

/** The method that runs for an object of a class where that of a base is called, which is virtual. */
export function overriding(
  program: ProgramTable,
  className: string,
  method: string,
  ofBase: FunctionDefinition,
  depth = 0,
): FunctionDefinition | undefined {
  const own = program.functions.get(`${className}::${method}`)?.find((each) => !isOtherThan(each, ofBase));
  if (own || depth > 8) return own;
  for (const base of findClass(program, className)?.bases ?? []) {
    const found = overriding(program, lastPart(base), method, ofBase, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** A member that a base has, too. */
function hides(program: ProgramTable, { bases, fields }: ClassDefinition, depth: number): boolean {
  if (depth > 8 || fields.length === 0) return false;
  return bases.some((name) => {
    const base = findClass(program, name);
    if (!base) return false;
    const isOne = base.fields.some((field) => !field.isStatic && fields.some((own) => own.name === field.name));
    return isOne || hides(program, { ...base, fields }, depth + 1);
  });
}

function isToldByView(program: ProgramTable, className: string, given: FunctionDefinition, depth: number): boolean {
  const method = lastPart(given.name);
  const definition = findClass(program, className);
  if (!definition || depth > 8 || method === lastPart(className) || method.startsWith('~')) return false;
  const own = program.functions.get(`${className}::${method}`);
  if (own?.some(({ isVirtual, parameters }) => !isVirtual || parameters.some((each) => each.defaultValue !== null)))
    return true;
  if (own?.some((each) => isOtherThan(given, each))) return true;
  return definition.bases.some((base) => isToldByView(program, lastPart(base), given, depth + 1));
}

function addWithBases(program: ProgramTable, className: string, found: Set<string>, depth: number): void {
  found.add(className);
  const bases = depth > 8 ? [] : (findClass(program, className)?.bases ?? []);
  for (const base of bases) addWithBases(program, lastPart(base), found, depth + 1);
}

/** A class that derives from one of them, or has one as a member. */
function holdsOne({ name, bases, fields }: ClassDefinition, found: ReadonlySet<string>): boolean {
  if (found.has(name)) return false;
  return bases.some((base) => found.has(lastPart(base))) || fields.some(({ type }) => namesOne(type, found));
}

function namesOne({ name, arguments: list }: TypeReference, found: ReadonlySet<string>): boolean {
  return found.has(name) || found.has(lastPart(name)) || list.some((each) => isType(each) && namesOne(each, found));
}

/** Whether a method is virtual: it says so, or one of its name in a base does; one of a base that nobody sees may be. */
export function isVirtualMethod(program: ProgramTable, className: string, method: string, depth = 0): boolean {
  const definition = findClass(program, className);
  if (!definition || depth > 8) return true;
  if (program.functions.get(`${className}::${method}`)?.some(({ isVirtual }) => isVirtual)) return true;
  return definition.bases.some((base) => isVirtualMethod(program, lastPart(base), method, depth + 1));
}
