/** Whether a function gives the address in a variable to CUDA only: as an argument of its calls and kernels. */

import { findRow } from '../models/model.ts';
import type { Expression, FunctionDefinition, Statement } from '../program/program.ts';
import { childNodes, isNode } from '../program/walk.ts';
import { lastPart } from './program-table.ts';
import type { World } from './world.ts';

/** Nothing else in the function has the address then: it is not stored, returned, put into a structure or copied as bytes. */
export function isGivenToCudaOnly(world: World, definition: FunctionDefinition, variable: string): boolean {
  return (definition.body?.statements ?? []).every((each) => keepsNot(world, each, variable, false));
}

/** `isFree`: what stands here is only looked at, or given to CUDA. */
function keepsNot(world: World, node: object, variable: string, isFree: boolean): boolean {
  if (!isNode(node)) return childNodes(node).every((each) => keepsNot(world, each, variable, isFree));
  const inside = (below: object | readonly object[] | null | undefined, free: boolean): boolean =>
    !below || keepsNot(world, below, variable, free);
  switch (node.kind) {
    case 'name':
      return isFree || node.name !== variable;
    case 'call': {
      const takes = isOfCuda(world, node.callee, node.arguments, variable);
      return inside(node.callee, false) && inside(node.arguments, takes);
    }
    case 'launch':
      return inside(node.kernel, false) && inside(node.configuration, false) && inside(node.arguments, true);
    case 'cast':
      return inside(node.operand, isFree);
    case 'unary':
      return inside(node.operand, isFree || node.operator === '!');
    case 'binary':
      return [node.left, node.right].every((each) => inside(each, isFree || comparisons.has(node.operator)));
    case 'index':
      return inside(node.object, isFree) && inside(node.index, false);
    case 'assign':
      return inside(node.target, node.target.kind === 'name') && inside(node.value, false);
    default:
      return childNodes(node).every((each) => inside(each, conditionOf(node) === each));
  }
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '&&', '||']);

function conditionOf(node: Expression | Statement): object | null {
  return node.kind === 'if' || node.kind === 'conditional' ? node.condition : null;
}

/** A call that a model has, or one of unseen code, which a trace tells of; of the variable's own address only one that allocates. */
function isOfCuda(
  { models, program }: World,
  callee: Expression,
  given: readonly Expression[],
  variable: string,
): boolean {
  if (callee.kind !== 'name') return false;
  const name = lastPart(callee.name);
  const row = findRow(models, name, given.length);
  if (row?.effects?.some(({ verb }) => verb.startsWith('memory.allocate'))) return true;
  if (given.some((each) => isAddressOf(each, variable))) return false;
  return row !== undefined || !program.functions.has(name);
}

function isAddressOf(node: Expression, variable: string): boolean {
  if (node.kind === 'cast') return isAddressOf(node.operand, variable);
  return (
    node.kind === 'unary' && node.operator === '&' && node.operand.kind === 'name' && node.operand.name === variable
  );
}
