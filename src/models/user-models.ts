/** Users' models: JSON of the same shape as ours, checked before it is believed. */

import { choices, lists, marks } from './effect-fields.ts';
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
    return fail(file, error instanceof Error ? error.message : String(error));
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
  const effects = row['effects'] ?? [];
  if (!Array.isArray(effects)) return '"effects" must be a list';
  const select = row['select'];
  if (select !== undefined && !(isObject(select) && typeof select['path'] === 'string' && isObject(select['cases'])))
    return '"select" must have a "path" and "cases"';
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
    if (wanted) return `"${field}" must be ${wanted}`;
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
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return isList ? null : 'a list of paths';
  }
  return typeof value === 'string' || typeof value === 'number' ? null : 'a path';
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
