/**
 * A command reads its files once and ends. V8 compiles what is called often a second time, to make it faster, on the
 * assumption that a process lives for long; over 56,000 lines of samples that takes a third of all processor time and is hardly
 * made use of. It waits longer here.
 */

import { setFlagsFromString } from 'node:v8';

/** Bytes of bytecode that a function runs through before it is compiled again; V8's own is 67,584. */
const interruptBudget = 600_000;

/** The last V8 that knows the flag, Node 21's; later ones compile in more stages, and say so on stderr when they are given it. */
const lastMajorWithBudget = 11;

/** What V8 is told, by its version (`process.versions.v8`); null for a V8 that is to do as it likes. */
export function flagForOneRun(v8Version: string): string | null {
  return Number.parseInt(v8Version, 10) <= lastMajorWithBudget ? `--interrupt-budget=${interruptBudget}` : null;
}

export function expectOneRun(): void {
  const flag = flagForOneRun(process.versions.v8);
  if (flag) setFlagsFromString(flag);
}
