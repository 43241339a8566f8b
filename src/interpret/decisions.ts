/** Choices that the text leaves open: which way this run takes them, and that it did. */

import type { Span } from '../base/span.ts';
import type { Statement } from '../program/program.ts';
import { printSize } from '../trace/size.ts';
import { truth, type Value } from './value.ts';
import { visit, type World } from './world.ts';

/**
 * Whether a condition holds on this run. A condition over symbols is decided once, so that `if (flag)` twice goes the
 * same way; anything else is decided per place and visit.
 */
export function decide(world: World, condition: Value, span: Span, preferred: boolean, otherExits: boolean): boolean {
  const known = truth(condition);
  if (known !== null) return known;
  const key =
    condition.kind === 'symbol'
      ? `symbol ${printSize(condition.size)}`
      : `place ${span.file}:${span.start}:${visit(world, `decide ${span.file}:${span.start}`)}`;
  const earlier = world.decisions.get(key);
  if (earlier) return earlier.taken;
  const hinted = condition.kind === 'symbol' && condition.hint !== null ? condition.hint !== 0 : preferred;
  // `if (argc < 3) return 1;`: an ordinary run is one that goes on.
  const usual = otherExits && hinted !== preferred ? preferred : hinted;
  const taken = world.preset.get(key) ?? usual;
  world.decisions.set(key, { key, span, taken, otherExits });
  return taken;
}

/** Whether a statement certainly leaves the function, the loop or the program. */
export function leaves(statement: Statement | null): boolean {
  if (!statement) return false;
  switch (statement.kind) {
    case 'return':
    case 'break':
    case 'continue':
      return true;
    case 'block':
      return statement.body.some(leaves);
    case 'expression':
      return (
        statement.expression.kind === 'throw' ||
        (statement.expression.kind === 'call' &&
          statement.expression.callee.kind === 'name' &&
          /^(?:std::)?(?:exit|abort|_exit|terminate|quick_exit)$/.test(statement.expression.callee.name))
      );
    default:
      return false;
  }
}
