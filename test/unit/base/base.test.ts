import { describe, expect, it } from 'vitest';
import { addBit, createBitset, hasBit, uniteInto } from '../../../src/base/bitset.ts';
import { formatBytes } from '../../../src/base/format-bytes.ts';
import { createSourceText, offsetAt, positionAt, rangeOf } from '../../../src/base/source-text.ts';

describe('source text', () => {
  const text = 'one\ntwo\r\nthree\rfour\n';
  const source = createSourceText('a.cu', text);

  it('starts a line behind every kind of line end', () => {
    expect(source.lineStarts).toEqual([0, 4, 9, 15, 20]);
  });

  it('turns offsets into positions and back', () => {
    for (let offset = 0; offset <= text.length; offset++)
      expect(offsetAt(source, positionAt(source, offset))).toBe(offset);
  });

  it('clamps what lies outside', () => {
    expect(positionAt(source, -5)).toEqual({ line: 1, column: 1 });
    expect(positionAt(source, 999)).toEqual({ line: 5, column: 1 });
    expect(offsetAt(source, { line: 99, column: 1 })).toBe(20);
    expect(offsetAt(source, { line: 0, column: 0 })).toBe(0);
    expect(offsetAt(source, { line: 1, column: 99 })).toBe(4);
  });

  it('has a first line even when it is empty', () => {
    const empty = createSourceText('a.cu', '');
    expect(rangeOf(empty, { file: 'a.cu', start: 0, end: 0 })).toEqual({
      start: { line: 1, column: 1 },
      end: { line: 1, column: 1 },
    });
  });
});

describe('bitset', () => {
  it('holds what was added, across words', () => {
    const set = createBitset(100);
    const members = [0, 1, 31, 32, 63, 64, 99];
    for (const member of members) addBit(set, member);
    for (let index = 0; index < 100; index++) expect(hasBit(set, index)).toBe(members.includes(index));
  });

  it('unites with shorter sets', () => {
    const set = createBitset(80);
    const other = createBitset(20);
    addBit(set, 70);
    addBit(other, 3);
    uniteInto(set, other);
    expect([3, 70].every((member) => hasBit(set, member))).toBe(true);
    expect(hasBit(set, 4)).toBe(false);
  });

  it('has nothing beyond its end', () => {
    expect(hasBit(createBitset(8), 4000)).toBe(false);
  });
});

describe('bytes as people write them', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [64 << 20, '64 MiB'],
    [3 * 2 ** 29, '1.5 GiB'],
    [2 ** 50, '1024 TiB'],
  ])('%d', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
