/** The simulated driver against what the real one did: how many recorded cases it predicts exactly. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HostOrder } from '../../../src/driver/placement.ts';
import { compareCase } from '../../../src/driver/recordings/compare.ts';
import { predictCase } from '../../../src/driver/recordings/predict.ts';
import { isFields, type RecordedCase, readCase } from '../../../src/driver/recordings/read.ts';

function casesOf(name: string): RecordedCase[] {
  const path = new URL(`../../recordings/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n');
  return lines.map((line) => readCase(JSON.parse(line))).filter((one) => one !== undefined);
}

function exactIn(cases: readonly RecordedCase[], hostOrder: HostOrder): number {
  return cases.filter((one) => compareCase(one, predictCase(one, { hostOrder }).fields).length === 0).length;
}

/** Same value types, other values: whoever looks at answers now predicts something else. */
function corrupted(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => (key === 'mem' ? 12345 : corrupted(inner)));
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, corrupted(inner, name)]));
  if (key === 'va') return '777000';
  return key === 'rc' ? 'cudaErrorUnknown' : value;
}

describe('recordings of one graph', () => {
  it('predicts every address and every attribute when host addresses only rise', () => {
    const cases = casesOf('va-up');
    expect(cases.length).toBe(1500);
    expect(exactIn(cases, 'up')).toBe(1500);
  });

  it('predicts every address and every attribute when host addresses only fall', () => {
    expect(exactIn(casesOf('va-down'), 'down')).toBe(1500);
  });

  it('says which addresses hang on the host order: all cases it misses in an ordinary process are among them', () => {
    const cases = casesOf('va');
    const missed = cases.filter((one) => {
      const prediction = predictCase(one, { hostOrder: 'up' });
      return compareCase(one, prediction.fields).length > 0 && prediction.notes.length === 0;
    });
    expect(exactIn(cases, 'up')).toBeGreaterThanOrEqual(1419);
    expect(missed.length).toBeLessThanOrEqual(2);
  });
});

describe('recordings of launches', () => {
  it('predicts results and attributes after every operation in nearly all cases', () => {
    expect(exactIn(casesOf('launch'), 'up')).toBeGreaterThanOrEqual(1580);
  });

  it('predicts every result and every address', () => {
    const wrong = casesOf('launch').flatMap((one) =>
      compareCase(one, predictCase(one, {}).fields).filter(({ what }) => what !== 'memory'),
    );
    expect(wrong).toEqual([]);
  });
});

describe('recordings of stream-ordered pools', () => {
  const cases = casesOf('pool');
  const opportunistic = cases.filter((one) => one.fields['opportunistic'] === true);
  const strict = cases.filter((one) => one.fields['opportunistic'] !== true);

  it('predicts them where reuse does not depend on timing', () => {
    expect(strict.length).toBe(1107);
    expect(exactIn(strict, 'up')).toBeGreaterThanOrEqual(1105);
  });

  it('mostly agrees where reuse depends on what the device has finished', () => {
    expect(opportunistic.length).toBe(489);
    expect(exactIn(opportunistic, 'up')).toBeGreaterThanOrEqual(461);
  });
});

describe('predictions', () => {
  it.each(['va', 'launch', 'pool'])('never look at recorded answers: %s', (name) => {
    for (const one of casesOf(name).slice(0, 60)) {
      const spoilt = readCase(corrupted(one.fields));
      expect(spoilt && predictCase(spoilt, {}).fields).toEqual(predictCase(one, {}).fields);
    }
  });

  it.each(['va', 'launch', 'pool'])('have the shape of the recording: %s', (name) => {
    for (const one of casesOf(name).slice(0, 20)) {
      const prediction = predictCase(one, {}).fields;
      expect(keysOf(prediction)).toEqual(keysOf(one.fields));
    }
  });
});

/** Every path of keys, without host times, list entries merged. */
function keysOf(value: unknown, path = ''): string[] {
  const inner = Array.isArray(value)
    ? value.flatMap((entry) => keysOf(entry, path))
    : isFields(value)
      ? Object.entries(value).flatMap(([key, entry]) => (key === 'ns' ? [] : keysOf(entry, `${path}.${key}`)))
      : [path];
  return [...new Set(inner)].sort();
}
