/**
 * Macros that are gone at the end of a file: `#undef X`, or another `#define X` behind. A use between sees the one that stood
 * there, as where a list is gone through twice.
 */

import { Attached } from '../../base/attached.ts';
import type { MacroDefinition } from '../../program/program.ts';

export interface RetiredMacro {
  readonly macro: MacroDefinition;
  /** Where it ends. */
  readonly end: number;
}

/** The macro of that name goes at `end`, if it is one of this file: others are read where they are used last. */
export function retire(
  retired: RetiredMacro[],
  macros: ReadonlyMap<string, MacroDefinition>,
  name: string,
  file: string,
  end: number,
): void {
  const macro = macros.get(name);
  if (macro && macro.span.file === file) retired.push({ macro, end });
}

/** The macro of that name that a place in the file sees, where the end of the file has none of that name, or another one. */
export function lostMacro(
  macros: ReadonlyMap<string, MacroDefinition>,
  retired: readonly RetiredMacro[],
  name: string,
  at: number,
): MacroDefinition | undefined {
  if (!namesOf(retired).has(name)) return undefined;
  return retired.find(
    ({ macro, end }) => macro.name === name && macro.span.start < at && at < end && isLost(macros, macro),
  )?.macro;
}

const namesByList = new Attached<readonly RetiredMacro[], ReadonlySet<string>>();

/** Every word of a text is looked for among them. */
function namesOf(retired: readonly RetiredMacro[]): ReadonlySet<string> {
  let names = namesByList.get(retired);
  if (!names) {
    names = new Set(retired.map(({ macro }) => macro.name));
    namesByList.set(retired, names);
  }
  return names;
}

/** Whether the end of a file does not have the macro as it was. */
export function isLost(
  macros: ReadonlyMap<string, MacroDefinition>,
  { name, body, parameters }: MacroDefinition,
): boolean {
  const last = macros.get(name);
  return !last || last.body !== body || last.parameters?.join() !== parameters?.join();
}

/** The macros as a place in the file sees them. */
export function macrosAt(
  macros: ReadonlyMap<string, MacroDefinition>,
  retired: readonly RetiredMacro[],
  at: number,
): ReadonlyMap<string, MacroDefinition> {
  const alive = retired.filter(({ macro, end }) => macro.span.start < at && at < end);
  if (alive.length === 0) return macros;
  const seen = new Map(macros);
  for (const { macro } of alive) seen.set(macro.name, macro);
  return seen;
}

/**
 * `#define cudaFree(p) noted_free(p, __LINE__)` behind a `noted_free` that calls `cudaFree`: macros of the file that mean nothing in front of
 * their definition, where what they stand for asks for the function of that name.
 */
export function hooksIn(
  { text, macros }: { readonly text: string; readonly macros: ReadonlyMap<string, MacroDefinition> },
  file: string,
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { name, body, parameters, span } of macros.values()) {
    // Macros in capitals have no function's name.
    if (span.file !== file || !/[a-z]/.test(name)) continue;
    const first = text.indexOf(name);
    if (first < 0 || first >= span.start) continue;
    for (const word of new Set(body.match(/[A-Za-z_]\w*/g))) {
      if (word === name || parameters?.includes(word)) continue;
      const behind = callOf(word, text, 0);
      if (behind < span.start && callOf(name, text, behind) < span.start) found.add(name);
    }
  }
  return found;
}

/** Where the text calls, or defines, a function of that name, from a place on; beyond all places where it does not. */
function callOf(name: string, text: string, from: number): number {
  const calls = new RegExp(`\\b${name}\\s*\\(`, 'g');
  calls.lastIndex = from;
  return calls.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

/** The file with these of its macros gone at its end: they are read where they are used. */
export function retireAll<Read extends MacrosRead>(read: Read, names: ReadonlySet<string>): Read {
  if (names.size === 0) return read;
  const macros = new Map(read.macros);
  const retired = [...read.retired];
  for (const name of names) {
    const macro = macros.get(name);
    if (macro) retired.push({ macro, end: read.length + 1 });
    macros.delete(name);
  }
  return { ...read, macros, retired };
}

interface MacrosRead {
  /** Of the text, in characters. */
  readonly length: number;
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  readonly retired: readonly RetiredMacro[];
}
