/**
 * A command reads its files once and ends. V8 compiles what is called often a second time, to make it faster, on the
 * assumption that a process lives for long; over 56,000 lines of samples that takes a third of all processor time and is hardly
 * made use of. It waits longer here.
 */

import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs through before it is compiled again; V8's own is 67,584. */
const interruptBudget = 600_000;

export function expectOneRun(): void {
  setFlagsFromString(`--interrupt-budget=${interruptBudget}`);
}
