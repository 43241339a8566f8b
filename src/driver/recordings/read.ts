/**
 * Reading recordings: one JSON object a line, each one a case of one of three kinds.
 *
 *     va       one graph built node by node        {"case", "ops": [...], "run": {...}}
 *     launch   graphs launched in streams          {"case", "graphs": [...], "frees": [...], "spin", "log": [...]}
 *     pool     one stream-ordered pool             {"case", "followEvents", ..., "log": [...]}
 *
 * What the driver answered (addresses, results, memory, times) is optional, and is cut off before anything is predicted.
 */

/** A JSON object; every field is checked where it is read. */
export type Fields = Readonly<Record<string, unknown>>;

export type CaseKind = 'va' | 'launch' | 'pool';

export interface RecordedCase {
  readonly kind: CaseKind;
  readonly name: string;
  readonly fields: Fields;
}

/** Something a recording says that cannot be replayed; the message names the place. */
export class RecordingError extends Error {}

/** Keys under which recordings hold the driver's answers. */
const ANSWERS: ReadonlySet<string> = new Set(['va', 'rc', 'mem', 'run', 'ns']);

/** The case in a parsed line, or undefined for a header line that only names the device. */
export function readCase(value: unknown): RecordedCase | undefined {
  if (!isFields(value)) throw new RecordingError('not a JSON object');
  const kind = kindOf(value);
  if (kind) return { kind, name: typeof value['case'] === 'string' ? value['case'] : 'unnamed', fields: value };
  if ('device' in value || 'driver' in value) return undefined;
  throw new RecordingError('neither `ops`, nor `graphs` and `log`, nor `log`: not a case of a known kind');
}

function kindOf(fields: Fields): CaseKind | undefined {
  if (Array.isArray(fields['ops'])) return 'va';
  if (!Array.isArray(fields['log'])) return undefined;
  return Array.isArray(fields['graphs']) ? 'launch' : 'pool';
}

/** A copy without any answer, at any depth. */
export function withoutAnswers(fields: Fields): Fields {
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (!ANSWERS.has(key)) rest[key] = stripped(value);
  return rest;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  return isFields(value) ? withoutAnswers(value) : value;
}

/** Whether the case holds answers to compare with. */
export function hasAnswers(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAnswers);
  if (!isFields(value)) return false;
  return Object.entries(value).some(([key, inner]) => (key !== 'ns' && ANSWERS.has(key)) || hasAnswers(inner));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function numberIn(fields: Fields, key: string): number {
  const value = fields[key];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new RecordingError(`\`${key}\` is not a number in ${shown(fields)}`);
}

export function textIn(fields: Fields, key: string): string {
  const value = fields[key];
  if (typeof value === 'string') return value;
  throw new RecordingError(`\`${key}\` is not a text in ${shown(fields)}`);
}

/** The objects in a list; an absent list is empty. */
export function listIn(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key] ?? [];
  if (Array.isArray(value) && value.every(isFields)) return value;
  throw new RecordingError(`\`${key}\` is not a list of objects in ${shown(fields)}`);
}

/** The numbers in a list, undefined when there is none. */
export function numbersIn(fields: Fields, key: string): readonly number[] | undefined {
  const value = fields[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((entry): entry is number => typeof entry === 'number')) return value;
  throw new RecordingError(`\`${key}\` is not a list of numbers in ${shown(fields)}`);
}

function shown(fields: Fields): string {
  const text = JSON.stringify(fields);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
