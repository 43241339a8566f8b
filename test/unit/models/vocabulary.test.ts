/** The words of models: what our own rows say must be among them, and nothing else may be. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { choices, fields, lists, marks } from '../../../src/models/effect-fields.ts';
import { modelPage, modelSchema } from '../../../src/models/model-schema.ts';
import { cudaModels, typescriptModels } from '../../../src/models/registry.ts';
import { parseModelFile } from '../../../src/models/user-models.ts';
import { verbs } from '../../../src/models/vocabulary.ts';
import { repository } from '../../support/engine.ts';
import { schemaProblems } from '../../support/json-schema.ts';

const rows = [...cudaModels, ...typescriptModels].flatMap((model) => model.rows);
const effects = rows.flatMap((row) =>
  [...(row.effects ?? []), ...Object.values(row.select?.cases ?? {}).flat()].map((effect) => ({ row, effect })),
);

describe('the words of models', () => {
  it('has the verbs that our rows use, and no others', () => {
    expect([...new Set(effects.map(({ effect }) => effect.verb))].sort()).toEqual(Object.keys(verbs).sort());
  });

  it('knows the fields of each effect of ours, and those it must have are there', () => {
    const wrong = effects.flatMap(({ row, effect: { verb, ...given } }) => {
      const { needs = [], may = [] } = verbs[verb] ?? {};
      const known = new Set([...needs, ...may]);
      const missing = needs.filter((field) => given[field] === undefined);
      const other = Object.keys(given).filter((field) => given[field] !== undefined && !known.has(field));
      return missing.length + other.length > 0 ? [`${row.name} ${verb}: without ${missing}, with ${other}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('explains each field once, and none that no verb has', () => {
    const used = new Set(Object.values(verbs).flatMap(({ needs, may = [] }) => [...needs, ...may]));
    expect([...used].sort()).toEqual(Object.keys(fields).sort());
    for (const each of [...Object.keys(choices), ...marks, ...lists]) expect(used).toContain(each);
  });

  it('is read as users write it', () => {
    // What no documentation promises is ours alone.
    const plain = rows.map(({ waitsInFact: _, ...row }) => row);
    expect(parseModelFile('ours.json', JSON.stringify({ rows: plain })).kind).toBe('model');
    expect(schemaProblems(modelSchema(), JSON.parse(JSON.stringify({ rows: plain })))).toEqual([]);
  });

  it('says of what kind the values of fields are', () => {
    const wrong = effects.flatMap(({ row, effect: { verb, ...given } }) =>
      Object.entries(given).flatMap(([field, value]) => {
        if (value === undefined) return [];
        const isRight = marks.has(field)
          ? typeof value === 'boolean'
          : lists.has(field)
            ? Array.isArray(value)
            : choices[field]
              ? choices[field].includes(value as string)
              : typeof value === 'string' || (field === 'count' && typeof value === 'number');
        return isRight ? [] : [`${row.name} ${verb} ${field}: ${JSON.stringify(value)}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe('what is made from the words of models', () => {
  const remedy = 'run node scripts/model-schema.mjs';

  it('is the schema that editors are given', () => {
    const text = readFileSync(path.join(repository, 'schema', 'models.schema.json'), 'utf8');
    expect(JSON.parse(text), remedy).toEqual(modelSchema());
  });

  it('is the page about them', () => {
    expect(readFileSync(path.join(repository, 'docs', 'models.md'), 'utf8'), remedy).toBe(modelPage());
  });

  it('takes what the reader of models takes, and refuses what that refuses', () => {
    const files: readonly (readonly [effect: object, fits: boolean])[] = [
      [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }, true],
      [{ verb: 'memory.freeAsync', pointer: 'arg0' }, false],
      [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1', bytes: ['arg2'] }, false],
      [{ verb: 'memory.allocate', pointer: 'return', origin: 'managed', bytes: ['arg0', 'arg1'] }, true],
      [{ verb: 'memory.allocate', pointer: 'return', origin: 'disk' }, false],
      [{ verb: 'memory.allocate', pointer: 'return', origin: 'device', bytes: 'arg0' }, false],
      [{ verb: 'host.synchronise', scope: 'stream', handle: 'arg0', query: true }, true],
      [{ verb: 'host.synchronise', scope: 'stream', query: 'arg0' }, false],
      [{ verb: 'node.ad' }, false],
      [{ verb: 'memory.free', pointer: 'pointer' }, false],
      [{ verb: 'memory.free', pointer: '**arg0' }, false],
      [{ verb: 'memory.free', pointer: '*arg0.list[*].first' }, true],
      [{ verb: 'stream.destroy', stream: 'legacy' }, true],
      [{ verb: 'event.destroy', event: 'legacy' }, false],
      [{ verb: 'memory.allocate', pointer: 'return', origin: 'host', bytes: ['arg0', 4] }, true],
      [{ verb: 'memory.allocate', pointer: 'return', origin: 'host', bytes: ['arg0', 0.5] }, false],
      [{ verb: 'query.handles', type: 'buffer', handles: ['arg0'] }, false],
    ];
    for (const [effect, fits] of files) {
      const data = { $schema: 'models.schema.json', rows: [{ name: 'f', effects: [effect] }] };
      const says = JSON.stringify(effect);
      expect(schemaProblems(modelSchema(), data).length === 0, says).toBe(fits);
      expect(parseModelFile('m.json', JSON.stringify(data)).kind, says).toBe(fits ? 'model' : 'error');
    }
  });
});
