/** Macros that give functions other names. */

import type { Expression, MacroBody } from '../program/program.ts';
import type { ProgramTable } from './program-table.ts';

/** Names that stand for one another that are followed. */
const mostNames = 8;

/** `#define ALLOCATE cudaMallocAsync`: what is called where a macro without parameters is; null where it stands for nothing that can be. */
export function calledByMacro(program: ProgramTable, name: string): Expression | null {
  let called: Expression | null = null;
  for (let step = 0, next: string | null = name; next !== null && step < mostNames; step++) {
    const body: MacroBody | null = program.macro(next)?.parameters === null ? program.expand(next) : null;
    if (body?.kind !== 'expression') break;
    called = body.expression;
    next = called.kind === 'name' ? called.name : null;
  }
  return called?.kind === 'name' && called.name === name ? null : called;
}
