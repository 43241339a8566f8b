/** Users' models: JSON of the same shape as ours, checked before it is believed. */

import type { ModelEffect, ModelFile, ModelRow } from './model.ts';

export type UserModel =
  | { readonly kind: 'model'; readonly model: ModelFile }
  | { readonly kind: 'error'; readonly message: string };

const rowFields = new Set(['name', 'arity', 'effects', 'select', 'returns', 'unsafeInCapture']);

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
  for (const [index, effect] of effects.entries()) {
    if (!isObject(effect) || typeof (effect as unknown as ModelEffect).verb !== 'string')
      return `effects[${index}]: "verb" is missing`;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(file: string, message: string): UserModel {
  return { kind: 'error', message: `${file}: ${message}` };
}
