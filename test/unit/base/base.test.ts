import { describe, expect, it } from 'vitest';
import { addToRow, createBitMatrix, rowHas, uniteRows } from '../../../src/base/bit-matrix.ts';
import { addRow, createBitTriangle, isInRow } from '../../../src/base/bit-triangle.ts';
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

describe('bit triangle', () => {
  it('holds what lies below each number by the numbers it was given', () => {
    const size = 140;
    const given = (row: number): number[] =>
      [row - 1, row - 33, Math.floor(row / 2)].filter((each) => each >= 0 && each < row);
    const triangle = createBitTriangle(size);
    const below: Set<number>[] = [];
    for (let row = 0; row < size; row++) {
      const own = new Set<number>();
      for (const each of given(row).slice(row % 3)) {
        addRow(triangle, row, each);
        own.add(each);
        for (const further of below[each]!) own.add(further);
      }
      below.push(own);
    }
    for (let row = 0; row < size; row++)
      for (let index = 0; index < row; index++) expect(isInRow(triangle, row, index)).toBe(below[row]!.has(index));
  });
});

describe('bit matrix', () => {
  it('holds what was added to a row, and what was in another, across words', () => {
    const matrix = createBitMatrix(70);
    for (const index of [0, 31, 32, 69]) addToRow(matrix, 40, index);
    addToRow(matrix, 41, 5);
    uniteRows(matrix, 41, 40);
    for (let index = 0; index < 70; index++) {
      expect(rowHas(matrix, 40, index)).toBe([0, 31, 32, 69].includes(index));
      expect(rowHas(matrix, 41, index)).toBe([0, 5, 31, 32, 69].includes(index));
      expect(rowHas(matrix, 39, index)).toBe(false);
    }
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
