/** Macros that make a text of what they are given are told from all others, however long the words in them are. */

import { describe, expect, it } from 'vitest';
import { makesText } from '../../../src/syntax/cuda/text-macros.ts';

const macro = (body: string) => ({
  name: 'M',
  parameters: ['x'],
  body,
  span: { file: 'a.cu', start: 0, end: 0 },
  bodyStart: 0,
});

describe('macros that make a text', () => {
  it.each(['#x', 'PREFIX #x', '"a" #x "b\\"c"', '#x"b"', '"a"# x'])('%s', (body) => {
    expect(makesText(macro(body))).toBe(true);
  });

  it.each(['f(#x)', 'a ## x ## ', '#x + 1', '"a" #x "b', '1 #x'])('not %s', (body) => {
    expect(makesText(macro(body))).toBe(false);
  });

  it('words are not tried in parts', () => {
    const word = 'a_function_with_a_name_that_is_as_long_as_those_of_large_libraries_are';
    const started = performance.now();
    expect(makesText(macro(`${word} ${word} ${word}(#x)`))).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
