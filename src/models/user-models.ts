/** Users' models: JSON of the same shape as ours, checked before it is believed. */

import { createSourceText, positionAt } from '../base/source-text.ts';
import { isAccessPath } from './access-path.ts';
import { choices, instead, lists, listsOfNumbers, marks, texts } from './effect-fields.ts';
import type { ModelFile, ModelRow } from './model.ts';
import { verbs } from './vocabulary.ts';

export type UserModel =
  | { readonly kind: 'model'; readonly model: ModelFile }
  | { readonly kind: 'error'; readonly message: string };

const rowFields = new Set(['name', 'arity', 'effects', 'select', 'returns', 'unsafeInCapture']);

const fileFields = new Set(['$schema', 'name', 'rows', 'pure']);

/** Reads a model file. Every mistake comes back as a message that names the file and the place. */
export function parseModelFile(file: string, text: string): UserModel {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return fail(file, placed(text, error instanceof Error ? error.message : String(error)));
  }
  if (!isObject(data)) return fail(file, 'expected an object with "rows"');
  for (const field of Object.keys(data)) if (!fileFields.has(field)) return fail(file, `no such field: "${field}"`);
  const rows = data['rows'];
  if (!Array.isArray(rows)) return fail(file, '"rows" must be a list');
  for (const [index, row] of rows.entries()) {
    const problem = rowProblem(row);
    if (problem) return fail(file, `rows[${index}]: ${problem}`);
  }
  const pure = data['pure'];
  if (pure !== undefined && !(Array.isArray(pure) && pure.every((name) => typeof name === 'string')))
    return fail(file, '"pure" must be a list of names');
  return {
    kind: 'model',
    model: { name: file, rows: rows as ModelRow[], ...(pure ? { pure: pure as string[] } : {}) },
  };
}

function rowProblem(row: unknown): string | null {
  if (!isObject(row)) return 'expected an object';
  if (typeof row['name'] !== 'string' || row['name'] === '') return '"name" must be the name of a function';
  for (const field of Object.keys(row)) if (!rowFields.has(field)) return `no such field: "${field}"`;
  if (row['arity'] !== undefined && !isArity(row['arity'])) return '"arity" must be a number, or [least, most]';
  const returns = row['returns'];
  if (returns !== undefined && !isResult(returns))
    return `"returns" must be status, lastError, ${aPath}, or { "record": { "member": path } }; it is ${JSON.stringify(returns)}`;
  if (row['unsafeInCapture'] !== undefined && typeof row['unsafeInCapture'] !== 'boolean')
    return '"unsafeInCapture" must be true or false';
  const effects = row['effects'] ?? [];
  if (!Array.isArray(effects)) return '"effects" must be a list';
  const select = row['select'];
  if (select !== undefined && !(isObject(select) && typeof select['path'] === 'string' && isObject(select['cases'])))
    return '"select" must have a "path" and "cases"';
  if (isObject(select) && !isAccessPath(select['path']))
    return `the "path" of "select" must be ${aPath}; it is ${JSON.stringify(select['path'])}`;
  const cases = isObject(select) && isObject(select['cases']) ? Object.entries(select['cases']) : [];
  for (const [place, each] of [['effects', effects] as const, ...cases]) {
    if (!Array.isArray(each)) return `case "${place}" must be a list of effects`;
    for (const [index, effect] of each.entries()) {
      const problem = effectProblem(effect);
      if (problem) return `${place}[${index}]: ${problem}`;
    }
  }
  return null;
}

function effectProblem(effect: unknown): string | null {
  if (!isObject(effect) || typeof effect['verb'] !== 'string') return '"verb" is missing';
  const { verb, ...given } = effect;
  const known = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!known) return `no such verb: "${verb}"${nearest(verb)}`;
  const { needs, may = [] } = known;
  for (const [field, value] of Object.entries(given)) {
    if (!needs.includes(field) && !may.includes(field)) return `no such field: "${field}"${fieldsOf(verb)}`;
    const wanted = wantedInstead(field, value);
    if (wanted) return `"${field}" must be ${wanted}; it is ${JSON.stringify(value)}`;
  }
  const missing = needs.find((field) => given[field] === undefined);
  return missing === undefined ? null : `"${verb}" needs "${missing}"`;
}

/** What a field's value must be; null where it is so. */
function wantedInstead(field: string, value: unknown): string | null {
  const among = choices[field];
  if (among) return among.includes(value as string) ? null : `one of ${among.join(', ')}`;
  if (marks.has(field)) return typeof value === 'boolean' ? null : 'true or false';
  if (lists.has(field)) {
    const hasNumbers = listsOfNumbers.has(field);
    const fits = (each: unknown): boolean => isAccessPath(each) || (hasNumbers && isCount(each));
    return Array.isArray(value) && value.every(fits)
      ? null
      : `a list of paths${hasNumbers ? ' and numbers' : ''} (${paths})`;
  }
  if (texts.has(field)) return typeof value === 'string' ? null : 'a text';
  const other = instead[field];
  if (isAccessPath(value) || typeof value === 'number' || (other !== undefined && value === other)) return null;
  return other === undefined ? aPath : `${aPath}, or ${other}`;
}

const paths = 'argN, *argN, argN.member, return, this';
const aPath = `a path (${paths})`;

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isArity(value: unknown): boolean {
  if (!Array.isArray(value)) return isCount(value);
  const [least, most]: unknown[] = value;
  return value.length === 2 && isCount(least) && isCount(most) && least <= most;
}

function isResult(value: unknown): boolean {
  if (!isObject(value)) return value === 'status' || value === 'lastError' || isAccessPath(value);
  const { record } = value;
  return Object.keys(value).length === 1 && isObject(record) && Object.values(record).every(isAccessPath);
}

/** What a JSON reader says, with line and column for the position that it counts. */
function placed(text: string, message: string): string {
  const position = /^(.*?) in JSON at position (\d+)\b/.exec(message);
  if (!position) return `no JSON: ${message}`;
  const { line, column } = positionAt(createSourceText('', text), Number(position[2]));
  return `line ${line}, column ${column}: no JSON: ${position[1]}`;
}

function fieldsOf(verb: string): string {
  const { needs = [], may = [] } = verbs[verb] ?? {};
  const known = [...needs, ...may];
  return known.length > 0 ? `; "${verb}" has ${known.join(', ')}` : `; "${verb}" has none`;
}

/** The verbs on the same things, `memory.…`, for whoever mistook one. */
function nearest(verb: string): string {
  const [topic = ''] = verb.split('.');
  const all = Object.keys(verbs).sort();
  const near = all.filter((each) => each.startsWith(`${topic}.`));
  return `; there is ${(near.length > 0 ? near : all).join(', ')}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(file: string, message: string): UserModel {
  return { kind: 'error', message: `${file}: ${message}` };
}
