/** The names that a lambda's body means: what `[=]` copies. */

import { Attached } from '../../base/attached.ts';
import type { Expression, LambdaExpression, Statement } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import type { ProgramTable } from '../program-table.ts';

const known = new Attached<ProgramTable, WeakMap<LambdaExpression, ReadonlySet<string>>>();

/** Names in the body, and in the macros that are used there. */
export function namesMeant(program: ProgramTable, lambda: LambdaExpression): ReadonlySet<string> {
  let ofProgram = known.get(program);
  if (!ofProgram) {
    ofProgram = new WeakMap();
    known.set(program, ofProgram);
  }
  let names = ofProgram.get(lambda);
  if (!names) {
    names = collected(program, lambda.body);
    ofProgram.set(lambda, names);
  }
  return names;
}

function collected(program: ProgramTable, body: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  const see = (node: Expression | Statement): void => {
    // What a lambda in there takes along, whether its own body names it or not.
    if (node.kind === 'lambda') for (const name of node.capturesByValue) names.add(name);
    if (node.kind !== 'name' || names.has(node.name)) return;
    names.add(node.name);
    const macro = program.macro(node.name) ? program.expand(node.name) : null;
    if (macro) eachNode(macro, see);
  };
  eachNode(body, see);
  return names;
}
