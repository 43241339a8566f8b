import { describe, expect, it } from 'vitest';
import { calculate, evaluateSize, printSize, type Size, symbolsOf } from '../../../src/trace/size.ts';

const number = (value: number): Size => ({ kind: 'number', value });
const symbol = (name: string): Size => ({ kind: 'symbol', name });
const operation = (operator: string, left: Size, right: Size): Size => ({ kind: 'operation', operator, left, right });

describe('arithmetic of sizes', () => {
  it.each([
    ['+', 2, 3, 5],
    ['-', 2, 3, -1],
    ['*', 1 << 20, 1 << 20, 2 ** 40],
    ['/', 7, 2, 3],
    ['/', -7, 2, -3],
    ['/', 7, 0, null],
    ['/', 1.5, 2, 0.75],
    ['%', 7, 3, 1],
    ['%', 7, 0, null],
    ['<<', 1, 40, 2 ** 40],
    ['>>', 2 ** 40, 38, 4],
    ['&', 2 ** 40 + 3, 2 ** 40 + 1, 2 ** 40 + 1],
    ['|', 4, 1, 5],
    ['^', 6, 3, 5],
    ['==', 3, 3, 1],
    ['===', 3, 4, 0],
    ['!=', 3, 4, 1],
    ['!==', 3, 3, 0],
    ['<', 1, 2, 1],
    ['>', 1, 2, 0],
    ['<=', 2, 2, 1],
    ['>=', 1, 2, 0],
    ['@', 1, 2, null],
  ])('%s of %d and %d', (operator, left, right, result) => {
    expect(calculate(operator, left, right)).toBe(result);
  });
});

describe('sizes with symbols', () => {
  const size = operation('*', operation('+', symbol('n'), number(1)), symbol('m'));

  it('have a value when every symbol has one', () => {
    expect(evaluateSize(size)).toBeNull();
    expect(evaluateSize(size, { n: 3 })).toBeNull();
    expect(evaluateSize(size, { n: 3, m: 5 })).toBe(20);
  });

  it('are printed as a person would write them', () => {
    expect(printSize(size)).toBe('(n + 1) * m');
  });

  it('name their symbols once, in order', () => {
    expect([...symbolsOf(operation('+', size, symbol('n')))]).toEqual(['n', 'm']);
  });
});
