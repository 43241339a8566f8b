/** Class templates that derive from themselves for other arguments: a `Rank<2>` is a `Rank<1>` and a `Rank<0>`, too. */

import type { Expression, TypeReference } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { typeOfObject } from '../objects/copies.ts';
import { lastPart, resolveType } from '../program-table.ts';
import { createScope } from '../scope.ts';
import { templatesOf, withTemplates } from '../types/class-templates.ts';
import { concreteType } from '../types/packs.ts';
import { classOf } from '../types/specialisations.ts';
import { isType } from '../types/type-arguments.ts';
import type { RecordObject } from '../value.ts';
import type { World } from '../world.ts';
import { isForOthers } from './fitness.ts';

/** Bases of bases that are followed. */
const deepest = 24;

/**
 * How far above an object's class the instance of that same template stands that a parameter asks for; null where the parameter asks for
 * what the object is, or for something else, or where the bases end in what nobody sees, -1 where it is surely none of them.
 */
export function stepsToInstance(world: World, record: RecordObject, asked: TypeReference): number | null {
  if (asked.pointers > 0 || lastPart(asked.name) !== lastPart(record.className) || !isForOthers(asked, record))
    return null;
  return stepsFrom(world, typeOfObject(world, record), asked, 1);
}

function stepsFrom(world: World, type: TypeReference, asked: TypeReference, depth: number): number | null {
  const definition = depth > deepest ? undefined : classOf(world, world.globals, type);
  if (!definition) return null;
  const plain = createScope(world.globals);
  const templates = templatesOf(world, world.globals, definition, type);
  const scope = templates ? withTemplates(plain, templates) : plain;
  const steps: number[] = [];
  for (const written of definition.baseTypes ?? []) {
    const base = resolveType(world.program, concreteType(world, scope, written));
    const known = base.arguments.map((each) => (isType(each) ? each : inNumbers(world, scope, each)));
    const isAsked = lastPart(base.name) === lastPart(asked.name) && areSame(known, asked.arguments);
    const further = isAsked ? depth : stepsFrom(world, { ...base, arguments: known }, asked, depth + 1);
    if (further === null) return null;
    if (further >= 0) steps.push(further);
  }
  return steps.length > 0 ? Math.min(...steps) : -1;
}

function inNumbers(world: World, scope: ReturnType<typeof createScope>, written: Expression): Expression {
  const value = written.kind === 'number' ? null : evaluate(world, scope, written);
  return value?.kind === 'number' ? { kind: 'number', value: value.value, span: written.span } : written;
}

function areSame(given: TypeReference['arguments'], asked: TypeReference['arguments']): boolean {
  return (
    given.length === asked.length &&
    given.every((one, index) => {
      const other = asked[index]!;
      if (isType(one)) return isType(other) && one.name === other.name && one.pointers === other.pointers;
      return !isType(other) && one.kind === 'number' && other.kind === 'number' && one.value === other.value;
    })
  );
}
