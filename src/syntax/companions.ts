/**
 * What a header only declares is defined in the source file that goes with it: `ops.cu` beside `ops.h`, or in `../src`. A program, a file
 * with a `main`, is read together with them; what would mean something else in the program than it means there is left out.
 */

import type { Module } from '../program/program.ts';

/** Whether a file holds the beginning of a program. */
export function isProgram({ functions }: Module): boolean {
  return functions.some(({ name, body }) => name === 'main' && body !== null);
}

/** Whether a header declares what no file read so far defines. */
export function leavesOpen(header: Module, modules: readonly Module[]): boolean {
  const declared = [...header.functions, ...header.classes.flatMap(({ methods }) => methods)].filter(
    ({ body, isKernel }) => body === null && !isKernel,
  );
  if (declared.length === 0) return header.globals.some(({ isElsewhere }) => isElsewhere === true);
  const defined = new Set(
    modules.flatMap(({ functions }) => functions.flatMap((each) => (each.body ? [each.name] : []))),
  );
  return declared.some(({ name }) => !defined.has(name));
}

/** Whether everything in a source file means in the program what it means by itself: no name of its own stands for something else there. */
export function goesTogether(companion: Module, modules: readonly Module[]): boolean {
  const functions = new Set(
    modules.flatMap((each) => each.functions.flatMap(({ body, name }) => (body ? [name] : []))),
  );
  const globals = new Set(
    modules.flatMap((each) => each.globals.flatMap(({ isElsewhere, name }) => (isElsewhere ? [] : [name]))),
  );
  const classes = new Set(modules.flatMap((each) => each.classes.map(({ name }) => name)));
  if (companion.functions.some(({ body, name }) => body !== null && functions.has(name))) return false;
  if (companion.globals.some(({ isElsewhere, name }) => !isElsewhere && globals.has(name))) return false;
  if (companion.classes.some(({ name }) => classes.has(name))) return false;
  return [...companion.macros.values()].every(({ body, name }) =>
    modules.every(({ macros }) => (macros.get(name)?.body ?? body) === body),
  );
}
