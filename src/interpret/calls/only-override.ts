/** Objects of which only an interface is known: where one class alone in the text says what a method of it does, that runs. */

import { Attached } from '../../base/attached.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { adopted } from '../expressions/adopted-objects.ts';
import { destructorOf, findClass, lastPart, type ProgramTable } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { createObject } from '../types/types.ts';
import type { RecordObject } from '../value.ts';
import type { World } from '../world.ts';

interface Override {
  readonly definition: FunctionDefinition;
  /** The object as one of the class that defines it. */
  readonly self: RecordObject;
}

/** The objects that were taken for ones of a class that implements their interface. */
const implementers = new WeakMap<RecordObject, RecordObject>();
const derivedClasses = new Attached<ProgramTable, ReadonlyMap<string, readonly string[]>>();

/**
 * What runs where a method of an interface is called on an object that nobody here has made; null where several classes, or none, say
 * what it does. Goes by the classes that define a method of this name, which whoever calls it is known to hang on.
 */
export function onlyOverride(
  world: World,
  scope: Scope,
  self: RecordObject,
  declared: FunctionDefinition | undefined,
): Override | null {
  const { program } = world;
  if (!declared?.isVirtual || program.isScript || !leavesToOthers(program, self.className, declared)) return null;
  const method = lastPart(declared.name);
  const [only, other] = [...derivedFrom(program, self.className)].flatMap(
    (name) => program.functions.get(`${name}::${method}`)?.filter((each) => each.body && fits(each, declared)) ?? [],
  );
  const of = only?.className ?? null;
  const definition = of === null ? undefined : findClass(program, of);
  if (!only || other || !definition || definition.templateParameters.length > 0) return null;
  const known = implementers.get(self);
  const object =
    known?.className === definition.name ? known : adopted(createObject(world, scope, typeNamed(definition.name)));
  implementers.set(self, object);
  return { definition: only, self: object };
}

/** Whether classes of the text say what a virtual method does that is left to them: which of them is meant is open, not what they do. */
export function isLeftToOthers(program: ProgramTable, { name, isVirtual }: Partial<FunctionDefinition>): boolean {
  if (!isVirtual || name === undefined) return false;
  const method = lastPart(name);
  const of = [...derivedFrom(program, name.slice(0, -method.length - 2))];
  return of.some((each) => program.functions.get(`${each}::${method}`)?.some(({ body }) => body !== null));
}

function fits({ parameters, isConst }: FunctionDefinition, declared: FunctionDefinition): boolean {
  return parameters.length === declared.parameters.length && !isConst === !declared.isConst;
}

/** Whether a class without members of its own leaves it to others what a method does: an object is of one of those. */
function leavesToOthers(program: ProgramTable, className: string, declared: FunctionDefinition): boolean {
  const definition = findClass(program, className);
  if (!definition || definition.fields.length > 0 || definition.templateParameters.length > 0) return false;
  const method = lastPart(declared.name);
  if (method === lastPart(destructorOf(definition.name))) return false;
  return !program.functions.get(`${definition.name}::${method}`)?.some((each) => each.body);
}

/** The classes that derive from one, and those that derive from them. */
function derivedFrom(program: ProgramTable, className: string): ReadonlySet<string> {
  const direct = derivedClasses.get(program) ?? directlyDerived(program);
  const out = new Set<string>();
  // A set can be walked while it grows.
  const names = new Set([lastPart(className)]);
  for (const name of names)
    for (const each of direct.get(name) ?? []) {
      out.add(each);
      names.add(lastPart(each));
    }
  return out;
}

function directlyDerived(program: ProgramTable): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>();
  for (const { name, bases } of program.classes.values())
    for (const base of bases) {
      const known = out.get(lastPart(base));
      if (known) known.push(name);
      else out.set(lastPart(base), [name]);
    }
  derivedClasses.set(program, out);
  return out;
}
