/**
 * How many programs the laws try, and what is said when one of them breaks a law.
 *
 * `LAWS_PROGRAMS` sets the number over all laws (20000 for a long run), `LAWS_SEED` where they start. Without them every
 * run tries the same programs, so that a law that fails is the change that was just made.
 */

import fc from 'fast-check';
import { it } from 'vitest';

const usual = 7000;
const programs = Number(process.env['LAWS_PROGRAMS'] ?? usual);
const seed = Number(process.env['LAWS_SEED'] ?? 20260);

/** Long runs take their time. */
export const patience = Math.max(20_000, programs * 20);

/** The number of programs for a law that tries this many in a usual run. */
export function scaled(count: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.max(1, Math.round((count * programs) / usual)), seed };
}

/** A law over generated programs, large ones as often as small ones. One that breaks it is made smaller while it does, and shown as text with its seed. */
export function law<Program>(
  name: string,
  count: number,
  programsOf: fc.Arbitrary<Program>,
  text: (program: Program) => string,
  holds: (program: Program) => void,
): void {
  const check = (program: Program): void => {
    try {
      holds(program);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n\n${text(program)}`, { cause: error });
    }
  };
  it(name, () => fc.assert(fc.property(fc.noBias(programsOf), check), scaled(count)), patience);
}
