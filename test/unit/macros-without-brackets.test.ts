/**
 * Macros that stand for expressions without brackets around them: what stands beside a use takes its part of them. Each condition is false
 * when the program runs (a compiler was asked); one that is wrong, or not known, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const rows: readonly Row[] = [
  [
    'beside operators that bind tighter',
    '#define SUM 2 + 3\n#define LESS 6 - 1\n#define ANY 0 || 1\n#define PICK n > 2 ? 7 : 9',
    'int n = 5;',
    [
      'SUM * 2 != 8',
      '2 * SUM != 7',
      '(SUM) * 2 != 10',
      '20 - LESS != 13',
      '-SUM != 1',
      'LESS * (int)sizeof(float) / 2 != 4',
      '(!ANY) != 1',
      'ANY && 0',
      '(PICK + 1) != 7',
      'SUM + 1 != 6',
      'n == SUM * 2',
    ],
  ],
  [
    'with arguments',
    '#define ADD(a, b) a + b\n#define SQUARE(x) x * x\n#define SAFE(x) ((x) * (x))\n#define HALF(x) x / 2',
    'int n = 5;',
    [
      'ADD(1, 2) * 3 != 7',
      'SQUARE(n + 1) != 11',
      'SQUARE(5) != 25',
      'SAFE(n + 1) != 36',
      '100 / SQUARE(5) != 100',
      'HALF(n + 4) != 7',
      'SQUARE(ADD(1, 2)) != 5',
    ],
  ],
  [
    'in other macros',
    '#define SUM 2 + 3\n#define ODD(constructor) n constructor\n#define FOUR SUM * 4\n#define NAME SUM\n#define TWICE(x) 2 * x\n#define SHIFTED(x) TWICE(x) << 1',
    'int n = 5;',
    ['(FOUR) != 14', 'FOUR + 1 != 15', 'NAME * 2 != 8', 'TWICE(SUM) != 7', 'TWICE(NAME) != 7', '1 + SHIFTED(3) != 14'],
  ],
  [
    'in conditions of the preprocessor',
    '#define SUM 2 + 3\n#define NAME SUM\n#define ADD(a, b) a + b\n#if SUM * 2 == 8 && 2 * NAME == 7 && ADD(1, 2) * 2 == 5\n#define RIGHT 1\n#else\n#define RIGHT 0\n#endif',
    '',
    ['!RIGHT'],
  ],
  [
    'names in brackets with a mark behind them are no casts',
    '',
    'int x = 3, y = 5, z = 2;',
    [
      '(x * (z) & (7) + 3) != 2',
      '((z) & (7) + 3) != 2',
      '(100 / (z) * y) != 250',
      '(x & (y) * z - 1) != 1',
      '((z) & 3 | 8) != 10',
    ],
  ],
];

describe('macros without brackets', () => {
  it.each(rows)('%s', async (...row) => {
    expect(await wrongOnes(row)).toEqual([]);
  });
});
