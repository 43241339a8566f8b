/** `__attribute__((constructor))` and `__attribute__((destructor))`: functions that nobody calls, and that run in front of `main` and behind it. */

import { Attached } from '../base/attached.ts';
import type { FunctionDefinition } from '../program/program.ts';
import type { ProgramTable } from './program-table.ts';

type Beside = NonNullable<FunctionDefinition['runsBesideMain']>;

const found = new Attached<ProgramTable, Readonly<Record<Beside, readonly FunctionDefinition[]>>>();

/** Those functions in the order in which they run; what is only declared to be one counts, too. */
export function functionsBesideMain(program: ProgramTable, beside: Beside): readonly FunctionDefinition[] {
  let known = found.get(program);
  if (!known) {
    const all: Record<Beside, FunctionDefinition[]> = { before: [], behind: [] };
    for (const definitions of program.functions.values()) {
      const said = definitions.find(({ runsBesideMain }) => runsBesideMain !== undefined)?.runsBesideMain;
      const definition = said && definitions.find(({ body }) => body !== null);
      if (definition) all[said].push(definition);
    }
    known = { before: all.before, behind: all.behind.reverse() };
    found.set(program, known);
  }
  return known[beside];
}
