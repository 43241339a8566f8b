/** Calls that end the program: whether it ends as it should, and what is called before. */

import type { CallExpression } from '../../program/program.ts';
import { whileEnding } from '../choices/decisions.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { runPutOff } from '../script/registered-callbacks.ts';
import { ThreadEndSignal } from '../threads.ts';
import { ExitSignal, type World } from '../world.ts';
import { evaluateArguments } from './arguments.ts';

/** Calls that end only the thread they are made in. */
const endingThreads: ReadonlySet<string> = new Set([
  'pthread_exit',
  'thrd_exit',
  'ExitThread',
  '_endthread',
  '_endthreadex',
]);

/** Ends the run, or the thread that is under way. `exit`, unlike `abort` and `_exit`, calls what was registered for that; where a check failed, it is left out. */
export function endProgram(world: World, scope: Scope, name: string, expression: CallExpression): never {
  if (endingThreads.has(name)) {
    evaluateArguments(world, scope, expression.arguments);
    throw new ThreadEndSignal();
  }
  const meant = isMeant(world, scope, expression);
  if (meant && lastPart(name) === 'exit') runPutOff(world);
  throw new ExitSignal(meant);
}

/** `exit(0)`, and the last word of `main` itself: `exit(isRight ? EXIT_SUCCESS : EXIT_FAILURE)`. */
function isMeant(world: World, scope: Scope, { arguments: [status] }: CallExpression): boolean {
  if (!status) return false;
  // What it is given is worked out first, and may be the whole program: `exit(run())`.
  const value = whileEnding(world, () => evaluate(world, scope, status));
  if (world.frames.length === 0 && world.macroDepth === 0) return true;
  return value.kind === 'number' && value.value === 0;
}
