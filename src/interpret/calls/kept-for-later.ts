/** Lambdas that only free something, given to what nobody sees and what is called so that it keeps them: when they run nobody knows. */

import type { Span } from '../../base/span.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { findName } from '../expressions/names.ts';
import { lastPart } from '../program-table.ts';
import { isThunk } from '../scope.ts';
import type { Value } from '../value.ts';
import { emit, type World } from '../world.ts';
import { pointersFrom } from './escape.ts';

const keeps =
  /^(?:(?:on|add|register|after|at|defer|subscribe)(?:_|[A-Z])|(?:On|Add|Register|After|At|Defer)(?:_|[A-Z]))/;
const frees = /free|destroy|release|delete/i;

/** `jobs.onFinish([=] { cudaFree(p); })`, `arena->AddCleanup(…)`: what the lambda frees may be freed from here on. False where it is to run at once. */
export function isKeptForLater(world: World, name: string, value: Value & { kind: 'closure' }, span: Span): boolean {
  const { lambda, scope } = value;
  if (!keeps.test(name) || lambda.isScript || lambda.parameters.length > 0) return false;
  const isCleanup = someNode(
    lambda.body,
    (node) => node.kind === 'call' && node.callee.kind === 'name' && frees.test(lastPart(node.callee.name)),
  );
  if (!isCleanup || someNode(lambda.body, (node) => node.kind === 'launch')) return false;
  const names = new Set<string>();
  eachNode(lambda.body, (node) => {
    if (node.kind === 'name') names.add(node.name);
  });
  const given = [...names].flatMap((each) => {
    const cell = findName(world, scope, each);
    return cell && !isThunk(cell) ? { value: cell.value, cell: null, span } : [];
  });
  const pointers = pointersFrom(world, given, span);
  if (pointers.length > 0) emit(world, name, span, [], { verb: 'call.unknown', pointers, handles: [] });
  return true;
}
