/** What a class template was made for: a `Tensor<Device>` is no `Tensor<Pinned>`. */

import { isNumberName } from '../../program/number-types.ts';
import type { Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { specialisedName } from '../../program/specialised-name.ts';
import { findClass, lastPart } from '../program-table.ts';
import type { TemplateBindings } from '../value.ts';
import type { World } from '../world.ts';

/** Whether two objects of one class template were surely made for different types. */
export function areOtherInstances(
  world: World,
  first: TemplateBindings | null,
  second: TemplateBindings | null,
): boolean {
  if (!first || !second || first === second) return false;
  for (const [name, own] of first.types) {
    const other = second.types.get(name);
    if (other && isKnown(world, own) && isKnown(world, other) && !isNamedAlike(own, other)) return true;
  }
  return false;
}

/** Whether a method that the program defines for one instance of a class template is meant for an object of these. */
export function isOfInstance(
  world: World,
  { ofInstance, className }: FunctionDefinition,
  own: TemplateBindings | null,
): boolean {
  if (ofInstance === undefined || className === null) return true;
  if (!own) return false;
  const names = findClass(world.program, className)?.templateParameters ?? [];
  const given = names.flatMap((name): (TypeReference | Expression)[] => {
    const type = own.types.get(name);
    const value = own.values.get(name);
    if (type) return [type];
    return value?.kind === 'number' ? [{ kind: 'number', value: value.value, span: world.statement }] : [];
  });
  return given.length === names.length && specialisedName(className, given) === ofInstance;
}

function isNamedAlike(first: TypeReference, second: TypeReference): boolean {
  return first.pointers === second.pointers && lastPart(first.name) === lastPart(second.name);
}

/** A type by its own name: what is another name for a type may be the other one. */
function isKnown(world: World, { name, pointers }: TypeReference): boolean {
  if (isNumberName(name)) return true;
  return pointers === 0 && findClass(world.program, name) !== undefined && !world.program.aliases.has(name);
}
