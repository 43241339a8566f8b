/** Users' models: JSON of the same shape as ours, checked before it is believed. */

import { once } from '../base/once.ts';
import type { ModelFile, ModelRow } from './model.ts';
import { cudaModels, typescriptModels } from './registry.ts';

export type UserModel =
  | { readonly kind: 'model'; readonly model: ModelFile }
  | { readonly kind: 'error'; readonly message: string };

const rowFields = new Set(['name', 'arity', 'effects', 'select', 'returns', 'unsafeInCapture']);

/** What our own rows say: their verbs, and the fields that effects have. */
const vocabulary = once(() => {
  const rows = [...cudaModels, ...typescriptModels].flatMap((model) => model.rows);
  const effects = rows.flatMap((row) => [...(row.effects ?? []), ...Object.values(row.select?.cases ?? {}).flat()]);
  return {
    verbs: new Set(effects.map((effect) => effect.verb)),
    fields: new Set(effects.flatMap((effect) => Object.keys(effect))),
  };
});

/** Reads a model file. Every mistake comes back as a message that names the file and the place. */
export function parseModelFile(file: string, text: string): UserModel {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return fail(file, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(data)) return fail(file, 'expected an object with "rows"');
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
  const { verbs, fields } = vocabulary();
  if (!verbs.has(effect['verb'])) return `no such verb: "${effect['verb']}"${nearest(effect['verb'], verbs)}`;
  const unknown = Object.keys(effect).find((field) => !fields.has(field));
  return unknown === undefined ? null : `no such field: "${unknown}"`;
}

/** The verbs on the same things, `memory.…`, for whoever mistook one. */
function nearest(verb: string, verbs: ReadonlySet<string>): string {
  const [topic = ''] = verb.split('.');
  const near = [...verbs].filter((each) => each.startsWith(`${topic}.`)).sort();
  return `; there is ${(near.length > 0 ? near : [...verbs].sort()).join(', ')}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(file: string, message: string): UserModel {
  return { kind: 'error', message: `${file}: ${message}` };
}
