/** What speaks against a function that would first have to make an object of what it is given. */

import { isNumberName } from '../../program/number-types.ts';
import type { ClassDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { constructorOf, findClass, lastPart, resolveType } from '../program-table.ts';
import { containerOf } from '../types/types.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { isOfTemplate } from './fitness.ts';

const possible = 3;
const impossible = 20;

/** How far above a class one of its bases stands: the nearest fits best; null when it is none. */
export function stepsTo(world: World, className: string, wanted: string, depth: number): number | null {
  if (lastPart(className) === lastPart(wanted)) return depth;
  const bases = depth > 8 ? [] : (findClass(world.program, className)?.bases ?? []);
  const steps = bases.flatMap((base) => stepsTo(world, base, wanted, depth + 1) ?? []);
  return steps.length > 0 ? Math.min(...steps) : null;
}

/** What speaks against a parameter of one class of the program, or of a container, where an object of another class, or of the library's, is given. */
export function otherObject(world: World, asked: TypeReference, className: string): number {
  const wanted = lastPart(asked.name);
  if (asked.pointers > 0 || wanted === lastPart(className)) return 0;
  const definition = findClass(world.program, asked.name);
  const isOfLibrary = className.startsWith('std::');
  if (!findClass(world.program, className) && !(isOfLibrary && definition)) return 0;
  const container = definition ? undefined : containerOf(asked);
  // What has elements of its own becomes a span.
  if (container !== undefined && ((container !== 'vector' && container !== 'map') || wanted === 'span')) return 0;
  // What is for any type fits better than what is for a base.
  const steps = stepsTo(world, className, wanted, 0);
  if (steps !== null) return 0.5 + steps / 16;
  const isMade = definition && isMadeFrom(world, definition, (type) => lastPart(type.name) === lastPart(className));
  return isMade || (!isOfLibrary && world.program.conversions.size > 0) ? possible : impossible;
}

/** What speaks against an object of a class of the program where an address is given. */
export function againstAddress(
  world: World,
  parameter: Parameter | undefined,
  templateParameters: readonly string[],
): number {
  if (!parameter || parameter.type.pointers > 0 || isOfTemplate(parameter.type, templateParameters)) return 0;
  const definition = findClass(world.program, parameter.type.name);
  if (!definition) return 0;
  const mayBeAddress = ({ name, pointers }: TypeReference): boolean =>
    pointers > 0 || !(isNumberName(name) || findClass(world.program, name));
  return isMadeFrom(world, definition, mayBeAddress) ? possible : impossible;
}

/** Whether a constructor of the class takes what is given and nothing else, or whatever it is given. */
function isMadeFrom(world: World, wanted: ClassDefinition, isTaken: (type: TypeReference) => boolean): boolean {
  const constructors = world.program.functions.get(constructorOf(wanted.name)) ?? [];
  return constructors.some(({ parameters: [first, ...rest], templateParameters }) => {
    if (!first || rest.some(({ defaultValue, isPack }) => !defaultValue && !isPack)) return false;
    if (templateParameters.length > 0 || wanted.templateParameters.includes(first.type.name)) return true;
    return isTaken(resolveType(world.program, first.type));
  });
}

/** What speaks against an address of what may be changed where one of constants is given, and the other way round. */
export function againstConstants(world: World, parameter: Parameter | undefined, given: Argument): number {
  if (!parameter || parameter.type.pointers === 0) return 0;
  const isConst = leadsToConstants(world, given, parameter.type.pointers);
  if (isConst === null || isConst === parameter.type.isConst) return 0;
  return isConst ? impossible : 0.5;
}

/** Whether an address, so many steps from what it leads to, is one of constants, as it is declared or written; null where nothing says it. */
function leadsToConstants(
  world: World,
  { value, cell, type: written, expression }: Argument,
  steps: number,
): boolean | null {
  const declared = expression?.kind === 'cast' ? written : (cell?.type ?? written);
  // `&variable`
  const behind = !declared && value.kind === 'pointer' ? value.cell.type : null;
  const type = declared ? resolveType(world.program, declared) : behind;
  if (!type || type.name === '') return null;
  const own = type.pointers + (type.extents.length > 0 ? 1 : 0) + (declared ? 0 : 1);
  if (own !== steps || (type.name === 'auto' && !type.isConst)) return null;
  return type.isConst;
}
