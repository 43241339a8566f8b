/**
 * A command reads its files once and ends. V8 compiles what is called often a second time, to make it faster, on the
 * assumption that a process lives for long; over 56,000 lines of samples that takes a third of all processor time and is hardly
 * made use of. It waits longer here.
 */

import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs through before it is compiled again; V8's own is 67,584. */
const interruptBudget = 1_500_000;
/** The last V8 that counts so, Node 21's. Later ones count calls, and answer on stderr when they are given a flag that they do not know. */
const lastMajorWithBudget = 11;
/**
 * Calls of a function before the slowest of the compilers has its turn; V8's own is 3,000. The same tree takes 36 % less processor
 * time with it in Node 22, 16 % less in Node 24 and 12 % in Node 26, on one core.
 */
const callsBeforeLastCompiler = 60_000;

/**
 * The same where somebody waits for a few files and V8 compiles on another processor meanwhile: those that take two seconds take a tenth
 * less in Node 20 and 22, and one that takes ten a quarter less.
 */
const shortInterruptBudget = 300_000;
const fewCallsBeforeLastCompiler = 15_000;

/** What V8 is told, by its version (`process.versions.v8`). `isShort`: of a few files, with more than one processor. */
export function flagForOneRun(v8Version: string, isShort = false): string {
  return Number.parseInt(v8Version, 10) <= lastMajorWithBudget
    ? `--interrupt-budget=${isShort ? shortInterruptBudget : interruptBudget}`
    : `--invocation-count-for-turbofan=${isShort ? fewCallsBeforeLastCompiler : callsBeforeLastCompiler}`;
}

export function expectOneRun(): void {
  setFlagsFromString(flagForOneRun(process.versions.v8));
}

/** The parser is compiled a second time, too, which takes a second of another thread. */
export const flagsForFewFiles = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** With so many files that second is earned back: 925 take 6 % less with it, 175 take 6 % more. */
const many = 400;
/** So few are waited for. */
const few = 8;

/** To be called before the parser is loaded. */
export function expectFiles(count: number): void {
  if (count <= few && availableParallelism() > 1) setFlagsFromString(flagForOneRun(process.versions.v8, true));
  if (count < many) for (const flag of flagsForFewFiles) setFlagsFromString(flag);
}
