/**
 * A text preprocessed again behind an edit that no directive can feel: what is typed into ordinary lines goes over as it is, and the
 * rest is taken from the last time.
 */

import { textEdit } from '../../base/text-edit.ts';
import type { MacroDefinition } from '../../program/program.ts';
import { isOfBraces } from './brace-macros.ts';
import type { Preprocessed } from './preprocess.ts';

/** A text, and what became of it. */
export interface LastPreprocessed {
  readonly text: string;
  readonly result: Preprocessed;
}

/** What `preprocess` would say of `text` behind the same macros; null where only `preprocess` itself can tell. */
export function preprocessedAgain(
  file: string,
  { text: before, result }: LastPreprocessed,
  text: string,
): Preprocessed | null {
  if (before === text) return result;
  if (result.text.length !== before.length || result.packings.length > 0 || result.reachesOverLines) return null;
  const edit = textEdit(before, text);
  const from = before.lastIndexOf('\n', edit.start - 1) + 1;
  const behind = lengthOfRestOfLine(before, edit.endBefore);
  const old = before.slice(from, edit.endBefore + behind);
  const now = text.slice(from, edit.endAfter + behind);
  if (isJoined(before, from) || !isOrdinary(old) || !isOrdinary(now)) return null;
  // Whether a file is included inside braces hangs on all that stands before.
  if (result.includes.some(({ span }) => span.start >= from)) return null;
  // Blanked, or put in for something else.
  if (result.text.slice(from, from + old.length) !== old) return null;
  if (usesPragma(now, result) || (result.hasDevicePass && !isAlikeOnDevice(old, now, result))) return null;
  const moved = { file, from: from + old.length, by: now.length - old.length };
  const defined = from < result.recordedTo && moved.by !== 0 ? movedMacros(result, moved) : null;
  return {
    ...result,
    ...defined,
    text: result.text.slice(0, from) + now + result.text.slice(from + old.length),
    length: text.length,
  };
}

/** What is defined behind the edit stands elsewhere now. */
function movedMacros(
  { macros, retired, recordedTo }: Preprocessed,
  { file, from, by }: { readonly file: string; readonly from: number; readonly by: number },
): Pick<Preprocessed, 'macros' | 'retired' | 'recordedTo'> {
  const place = (offset: number): number => (offset < from ? offset : offset + by);
  const known = new Map<MacroDefinition, MacroDefinition>();
  const moved = (macro: MacroDefinition): MacroDefinition => {
    const { span } = macro;
    if (span.file !== file || span.start < from) return macro;
    const before = known.get(macro);
    if (before) return before;
    const to = { file, start: span.start + by, end: span.end + by };
    const now = { ...macro, span: to, bodyStart: macro.bodyStart + by };
    known.set(macro, now);
    return now;
  };
  return {
    macros: new Map([...macros].map(([name, macro]) => [name, moved(macro)])),
    retired: retired.map(({ macro, end }) => ({ macro: moved(macro), end: place(end) })),
    recordedTo: place(recordedTo),
  };
}

function lengthOfRestOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return (end < 0 ? text.length : end) - from;
}

/** Whether a `\` joins the line that begins at `start` to the one before it. */
function isJoined(text: string, start: number): boolean {
  return /\\\r?\n$/.test(text.slice(Math.max(0, start - 3), start));
}

/** Nothing in it begins or ends a directive or a block comment, or is asked for by a directive somewhere else. */
function isOrdinary(lines: string): boolean {
  return !/[#\\]|\/\*|\*\/|__|_Pragma|va_arg|define/.test(lines);
}

/** A macro in it stands for an operator that packs structures, or for a brace. */
function usesPragma(lines: string, { macros }: Preprocessed): boolean {
  return wordsOf(lines).some((word) => {
    const macro = macros.get(word);
    return macro !== undefined && (macro.body.includes('_Pragma') || isOfBraces(macro));
  });
}

/** Conditions behind the lines may ask which function they stand in: neither the braces around nor the heads have changed. */
function isAlikeOnDevice(old: string, now: string, { macros }: Preprocessed): boolean {
  const marks = (lines: string): string => lines.replace(/[^{};]/g, '');
  const mayQualify = (lines: string): boolean => wordsOf(lines).some((word) => macros.get(word)?.body.includes('__'));
  return marks(old) === marks(now) && !mayQualify(old) && !mayQualify(now);
}

function wordsOf(lines: string): readonly string[] {
  return lines.match(/[A-Za-z_]\w*/g) ?? [];
}
