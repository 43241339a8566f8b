/** Labels inside statements: how a `goto`, or a case of a `switch` around them, leads into the middle of loops and branches. */

import type { Statement } from '../../program/program.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { labelMark } from '../expressions/names.ts';
import { createScope, type Scope } from '../scope.ts';
import type { Resume } from '../threads.ts';
import type { World } from '../world.ts';
import { declare } from './declare.ts';
import { type Completion, endScope, execute, executeBlock } from './execute.ts';
import { enterLoop } from './loops.ts';

/** Where a `goto` leads, be it `goto *table[op]`; empty where nobody knows. */
export function labelMeant(world: World, scope: Scope, { label, to }: Statement & { kind: 'goto' }): string {
  if (!to) return label;
  const value = evaluate(world, scope, to);
  return value.kind === 'function' && value.name.startsWith(labelMark) ? value.name.slice(labelMark.length) : '';
}

/** Which of the statements is the label, or has it in it; −1 for none. */
export function indexOfLabel(body: readonly Statement[], label: string): number {
  return body.findIndex((each) => isLabel(each, label) || hasLabel(each, label));
}

/** How the statement is run from the label in it on; null where it is the label itself. */
export function pathInto(world: World, scope: Scope, statement: Statement, label: string): Resume | null {
  return isLabel(statement, label) ? null : () => enter(world, scope, statement, label);
}

/** Variables that are declared before the place where a block is entered: they are there, and have no value. */
export function declareSkipped(world: World, scope: Scope, body: readonly Statement[]): void {
  for (const each of body)
    if (each.kind === 'declare')
      for (const declaration of each.declarations)
        if (declaration.isStatic || (!declaration.initializer && !declaration.constructorArguments))
          declare(world, scope, declaration);
}

function isLabel(statement: Statement, label: string): boolean {
  return statement.kind === 'label' && statement.name === label;
}

/** The labels of a lambda in it are others: they are of that function. */
function hasLabel(statement: Statement, label: string): boolean {
  switch (statement.kind) {
    case 'block':
      return indexOfLabel(statement.body, label) >= 0;
    case 'if':
      return [statement.whenTrue, statement.whenFalse].some((each) => each !== null && holds(each, label));
    case 'loop':
      return holds(statement.body, label);
    default:
      return false;
  }
}

function enter(world: World, scope: Scope, statement: Statement, label: string): Completion {
  const inner = createScope(scope);
  switch (statement.kind) {
    case 'block': {
      const at = indexOfLabel(statement.body, label);
      if (at < 0) return undefined;
      declareSkipped(world, inner, statement.body.slice(0, at));
      return executeBlock(world, inner, statement.body, at, pathInto(world, inner, statement.body[at]!, label));
    }
    case 'if': {
      const arm = [statement.whenTrue, statement.whenFalse].find((each) => each && holds(each, label));
      const completion = arm ? enter(world, inner, arm, label) : undefined;
      endScope(world, inner);
      return completion;
    }
    case 'loop':
      return enterLoop(world, inner, statement, () => enter(world, createScope(inner), statement.body, label));
    default:
      return isLabel(statement, label) ? undefined : execute(world, scope, statement);
  }
}

function holds(statement: Statement, label: string): boolean {
  return isLabel(statement, label) || hasLabel(statement, label);
}
