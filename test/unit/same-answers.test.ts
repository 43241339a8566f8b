/** What a program asks twice goes the same way twice, until what it asked about may have changed. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
__global__ void k(float *p) { p[0] = 1.0f; }
void fill(char *text); void show(const char *text); void rename(std::string &name); void look(const std::string &name);
`;

/** What it is; what was asked in between, so that the second answer may be another; where nothing has changed. */
const rows: readonly (readonly [what: string, parameters: string, bad: readonly string[], good: readonly string[]])[] =
  [
    [
      'strcmp with one text and another',
      'const char *a',
      ['strcmp(a, "x") == 0', 'strcmp(a, "y") == 0'],
      ['strcmp(a, "x") == 0', '!strcmp("x", a)'],
    ],
    [
      'strcmp with texts that cannot both be',
      'const char *a',
      ['strcmp(a, "x") != 0', 'strcmp(a, "y") == 0'],
      ['!(strcmp(a, "x") != 0)', 'strcmp(a, "x") == 0 && strcmp(a, "y") != 0'],
    ],
    [
      'strncmp',
      'const char *a',
      ['!strncmp(a, "x", 1)', '!strncmp(a, "xy", 2)'],
      ['!strncmp(a, "x", 1)', 'strncmp(a, "x", 1) == 0'],
    ],
    [
      'strcasecmp',
      'const char *a, const char *b',
      ['!strcasecmp(a, "x")', '!strcasecmp(b, "x")'],
      ['!strcasecmp(a, "x")', '!strcasecmp(a, "x")'],
    ],
    ['strstr', 'const char *a', ['strstr(a, "x")', 'strstr(a, "y")'], ['strstr(a, "x")', 'strstr(a, "x") != nullptr']],
    [
      'a word of the command line',
      'char **words',
      ['!strcmp(words[1], "x")', '!strcmp(words[2], "x")'],
      ['!strcmp(words[1], "x")', '!strcmp(words[1], "x")'],
    ],
    [
      'a text that an unseen function fills',
      'char *a',
      ['!strcmp(a, "x")', '(fill(a), !strcmp(a, "x"))'],
      ['!strcmp(a, "x")', '(show(a), !strcmp(a, "x"))'],
    ],
    [
      'an array that is read into',
      'char *from',
      ['(fgets(line, 16, stdin), !strcmp(line, "x"))', '(fgets(line, 16, stdin), !strcmp(line, "x"))'],
      ['(fgets(line, 16, stdin), !strcmp(line, "x"))', '!strcmp(line, "x")'],
    ],
    [
      'an array whose first character is set',
      'int at',
      ['!strcmp(line, "x")', '(line[0] = at, !strcmp(line, "x"))'],
      ['!strcmp(line, "x")', '(at = line[0], !strcmp(line, "x"))'],
    ],
    ['a std::string', 'const std::string &s', ['s == "x"', 's == "y"'], ['s == "x"', '!(s != "x")']],
    ['a std::string that is empty', 'const std::string &s', ['s.empty()', 's == "y"'], ['s.empty()', 's == ""']],
    [
      'the size of a std::string',
      'const std::string &s',
      ['s.size() > 3', 's.size() > 4'],
      ['s.size() > 3', 's.size() > 3'],
    ],
    [
      'a search in a std::string',
      'const std::string &s',
      ['s.find("x") == 0', 's.find("y") == 0'],
      ['s.find("x") == 0', 's.find("x") == 0'],
    ],
    [
      'a std::string that an unseen function may change',
      'std::string s',
      ['s == "x"', '(rename(s), s == "x")'],
      ['s == "x"', '(look(s), s == "x")'],
    ],
    [
      'a std::string that is added to',
      'std::string s',
      ['s == "x"', '(s.append("y"), s == "x")'],
      ['s == "x"', 's == "x"'],
    ],
    [
      'the text of a std::string',
      'std::string s',
      ['!strcmp(s.c_str(), "x")', 's == "y"'],
      ['!strcmp(s.c_str(), "x")', 's == "x"'],
    ],
    ['a character', 'char c', ['isdigit(c)', 'isalpha(c)'], ['std::isdigit(c)', 'std::isdigit(c)']],
    ['a number', 'double x', ['std::fabs(x) > 1', 'std::fabs(x) > 2'], ['std::fabs(x) > 1', 'std::fabs(x) > 1']],
  ];

const program = (parameters: string, [first, second]: readonly string[]): string => `${head}
void f(${parameters}) {
  char line[16]; fill(line); float *p; cudaMalloc(&p, 4);
  if (${first}) cudaFree(p);
  if (${second}) cudaMalloc(&p, 8);
  k<<<1, 1>>>(p); cudaFree(p);
}`;

const rulesIn = async (text: string): Promise<readonly string[]> =>
  (await analyseText(text)).findings.map(({ rule }) => rule);

describe('a question that is asked twice', () => {
  it.each(rows)('%s: another answer where it may be another', async (_what, parameters, bad) => {
    expect(await rulesIn(program(parameters, bad))).toContain('malloc-double-free');
  });

  it.each(rows)('%s: the same answer where nothing has changed', async (_what, parameters, _bad, good) => {
    expect(await rulesIn(program(parameters, good))).toEqual([]);
  });
});
