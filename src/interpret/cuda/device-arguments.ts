/** What functions of the device are given, and what their parameters and template parameters stand for then. */

import type { Expression, FunctionDefinition, Parameter, TypeReference } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import { findClass, resolveType } from '../program-table.ts';
import { asExpression, isType } from '../types/type-arguments.ts';
import { evaluateOnDevice } from './device-expressions.ts';
import { blockIn, find, type Local, load, type Reading, typeIn } from './device-memory.ts';
import { copied, createThing, isAddress, mergeInto, type Thing } from './device-things.ts';

/** What is given, of `values...` and `f(values)...` each. */
export function argumentsOf(reading: Reading, local: Local, given: readonly Expression[]): readonly Thing[] {
  return given.flatMap((each) => {
    if (each.kind !== 'unary' || each.operator !== '...') return [evaluateOnDevice(reading, local, each)];
    const packs: (readonly [name: string, pack: readonly Thing[]])[] = [];
    eachNode(each.operand, (node) => {
      const pack = node.kind === 'name' ? find(reading, local, node.name)?.pack : null;
      if (node.kind === 'name' && pack) packs.push([node.name, pack]);
    });
    const count = Math.min(...packs.map(([, pack]) => pack.length));
    if (!Number.isFinite(count)) return [evaluateOnDevice(reading, local, each.operand)];
    return Array.from({ length: count }, (_, index) => {
      const inner = blockIn(local);
      for (const [name, pack] of packs) inner.names.set(name, pack[index]!);
      return evaluateOnDevice(reading, inner, each.operand);
    });
  });
}

/** What the template parameters stand for, of those that are written and are numbers or classes. */
export function constantsIn(
  reading: Reading,
  local: Local,
  { templateParameters, span }: FunctionDefinition,
  written: TypeReference['arguments'],
): ReadonlyMap<string, Thing> {
  const constants = new Map<string, Thing>();
  for (const [index, argument] of written.entries()) {
    const name = templateParameters[index];
    if (name === undefined || name.endsWith('...')) break;
    const type = isType(argument) ? typeIn(reading, local, argument) : null;
    const named = type && type.pointers === 0 ? findClass(reading.world.program, type.name) : null;
    if (type && named) {
      constants.set(name, createThing({ stands: type }));
      continue;
    }
    const value = evaluateOnDevice(reading, local, asExpression(argument, span));
    if (value.lies.size === 0 && value.first !== null && value.isSame) constants.set(name, value);
  }
  return constants;
}

/** Names of the parameters begin with what is given. */
export function bindParameters(
  reading: Reading,
  local: Local,
  parameters: readonly Parameter[],
  given: readonly Thing[],
): void {
  parameters.forEach(({ name, type, isPack }, index) => {
    if (isPack) {
      const pack = given.slice(index).map((each) => (type.isReference ? each : load(reading, each)));
      const rest = createThing({ isEach: true, pack });
      for (const each of pack) mergeInto(rest, each);
      local.names.set(name, rest);
      return;
    }
    const thing = given[index];
    if (!thing) return;
    const isPlain = resolveType(reading.world.program, type);
    // What a template parameter stands for is what is given.
    const isGiven = isAddress(reading.world.program, thing.type);
    const isKnown =
      isAddress(reading.world.program, type) === isGiven ||
      (isGiven === true && isPlain.pointers === 0 && !findClass(reading.world.program, isPlain.name));
    const own = isKnown && thing.type && !isPlain.isConst ? thing.type : type;
    if (type.isReference) local.names.set(name, thing);
    else local.names.set(name, copied(load(reading, thing), thing.type ? own : type));
  });
}
