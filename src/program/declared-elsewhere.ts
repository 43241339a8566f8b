/** Variables that one place declares and another defines. */

import type { Declaration } from './program.ts';

/** Variables without `extern` declarations of those that are defined here, too. */
export function withoutDeclared(globals: readonly Declaration[]): readonly Declaration[] {
  if (!globals.some(({ isElsewhere }) => isElsewhere)) return globals;
  const defined = new Set(globals.flatMap(({ name, isElsewhere }) => (isElsewhere ? [] : [name])));
  return globals.filter(({ name, isElsewhere }) => !isElsewhere || !defined.has(name));
}
