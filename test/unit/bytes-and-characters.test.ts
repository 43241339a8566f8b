/**
 * Bytes behind pointers that were cast, characters in arrays and parts of texts, and what is said of types and exceptions. Each condition is
 * false when the program runs (a compiler was asked); one that is wrong, or not known, allocates.
 */

import { describe, expect, it } from 'vitest';
import { type ConditionRow as Row, wrongOnes } from '../support/conditions.ts';

const rows: readonly Row[] = [
  [
    'distances in bytes',
    'struct S { double x; int y; };',
    'S a[4]; int ia[5]; int g[3][4]; float f[4]; float *row = (float *)((char *)f + 2 * sizeof(float)); const char *end = (const char *)(f + 4);',
    [
      '(char *)&a[2] - (char *)a != 32',
      '(uint8_t *)&ia[4] - (uint8_t *)&ia[0] != 16',
      'reinterpret_cast<char *>(&a[1]) - reinterpret_cast<char *>(&a[0]) != 16',
      '(size_t)&a[3] - (size_t)&a[0] != 48',
      '(const char *)&a[2] - (const char *)&a != 32',
      '(char *)&a[1].y - (char *)&a[1] != 8',
      '(char *)&g[2][1] - (char *)g != 36',
      'end - (const char *)row != 8',
      'row - f != 2',
    ],
  ],
  [
    'pointers that count bytes lead to elements, and to bytes of them',
    '',
    'int a[4] = {1, 0x01020304, 3, 4}; char *p = (char *)a; p += 4; int rounds = 0; for (char *c = (char *)a; c < (char *)(a + 4); c += 4) rounds++;',
    [
      '*p != 4',
      'p[1] != 3',
      '*(int *)p != 0x01020304',
      '((int *)p)[1] != 3',
      'rounds != 4',
      '*(int *)((char *)a + 12) != 4',
    ],
  ],
  [
    'what is stored through a pointer into an array of characters',
    '',
    'char text[] = "hello"; char *c = text; *c = \'J\'; c[4] = 0; char line[80] = "a b"; for (char *q = line; *q; ++q) *q = toupper(*q); char to[8] = "abcd"; strncpy(to, "zz", 2); strncat(to, "efgh", 2);',
    [
      "text[0] != 'J'",
      'strlen(text) != 4',
      'strcmp(line, "A B") != 0',
      'strcmp(to, "zzcdef") != 0',
      'sizeof(text) != 6',
      'sizeof(line) != 80',
    ],
  ],
  [
    'parts of texts that objects are made from',
    '',
    'std::string s = "hello world"; std::string a(s, 6), b(s, 2, 3), c("abcdef", 3); const char *p = "abcdefg"; std::string g(p + 2, p + 5); std::vector<std::string> v; v.emplace_back(s, 2, 4); char m[8]; memset(m, \'k\', 3); const char *tail = "--n=57" + 4;',
    ['a != "world"', 'b != "llo"', 'c != "abc"', 'g != "cde"', 'v[0] != "llo "', "m[2] != 'k'", 'atoi(tail) != 57'],
  ],
  [
    'the sign of memcmp',
    'struct S { double x; int y; };',
    'int a[] = {1, 2, 3}, b[] = {1, 5, 3}, c[] = {256}, d[] = {1}; S s{1.0, 2}, t{1.0, 3};',
    [
      'memcmp(a, b, sizeof a) >= 0',
      'memcmp(b, a, sizeof a) <= 0',
      'memcmp(c, d, 4) >= 0',
      'memcmp(&s, &t, sizeof s) >= 0',
    ],
  ],
  [
    'types that are written const, or as references',
    '',
    '',
    [
      'std::is_same<const int, int>::value',
      'std::is_same_v<int &, int>',
      'std::is_same_v<const char *, char *>',
      '!std::is_same_v<int const, const int>',
      '!std::is_same_v<std::remove_const_t<const int>, int>',
    ],
  ],
  [
    'members that lie behind one another',
    'struct V { float x, y, z; float operator[](int i) const { return (&x)[i]; } float &at(int i) { return *(&x + i); } };',
    'V v{1, 2, 3}; v.at(1) = 9;',
    ['v[2] != 3', 'v[0] != 1', 'v.y != 9'],
  ],
  [
    'what has no sign is never below zero',
    '',
    'unsigned n; cudaGetDeviceCount((int *)&n); size_t m = n;',
    ['!(m >= 0)', 'm < 0'],
  ],
  [
    'a number that is forwarded, and owners of what a temporary held',
    'int which(int &) { return 1; } int which(int &&) { return 2; }',
    'int i = 1; std::vector<std::shared_ptr<int>> v(3, std::make_shared<int>(1));',
    ['which(std::forward<int>(i)) != 2', 'which(std::forward<int &>(i)) != 1', 'v[0].use_count() != 3'],
  ],
  [
    'a handler for a class that derives from what was thrown',
    'struct Err : std::runtime_error { using std::runtime_error::runtime_error; }; struct Worse : Err { using Err::Err; };',
    'int which = 0; try { throw Err("a"); } catch (const Worse &) { which = 1; } catch (const Err &) { which = 2; } int other = 0; try { throw std::runtime_error("a"); } catch (const Err &) { other = 1; } catch (const std::exception &) { other = 2; }',
    ['which != 2', 'other != 2'],
  ],
];

describe('as a compiler says', () => {
  for (const row of rows)
    it(row[0], async () => {
      expect(await wrongOnes(row)).toEqual([]);
    });
});
