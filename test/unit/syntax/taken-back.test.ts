import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { createModuleCache } from '../../../src/syntax/cuda/lower-module.ts';
import { parseCuda } from '../../../src/syntax/cuda/parse.ts';
import { readGrammar, testEngine } from '../../support/engine.ts';

describe('what is typed and taken back', () => {
  let parser: Parser;
  beforeAll(async () => {
    await testEngine();
    parser = new Parser();
    parser.setLanguage(await Language.load(await readGrammar('tree-sitter-cuda.wasm')));
  });

  const macros = new Map();
  const program = (typed: string, before = '') =>
    `${before}void first() { int a = 1; ${typed}}\nvoid second() { first(); }\n`;

  /** The numbers of the items of each text, read one after the other. */
  const numbers = (texts: readonly string[], isTyped: boolean) => {
    const cache = createModuleCache();
    return texts.map((text) => {
      const module = parseCuda(parser, 'a.cu', text, { known: macros, cache, isTyped });
      for (const { body } of module.functions) body?.statements;
      return module.items?.map(({ id }) => id);
    });
  };

  it.each([false, true])('is the item that stood there before: typed %s', (isTyped) => {
    const [first, typed, back] = numbers([program(''), program('a = 2; '), program('')], isTyped);
    expect(typed?.[0]).not.toBe(first?.[0]);
    expect(typed?.[1]).toBe(first?.[1]);
    expect(back).toEqual(first);
  });

  it('is it elsewhere, too, and after several texts', () => {
    const texts = [program(''), program('a = 2; '), program('a = 2; a = 3; '), program('', '\n\n')];
    const all = numbers(texts, true);
    expect(all.at(-1)).toEqual(all[0]);
  });

  it('is not when a macro means something else now', () => {
    const [first, , back] = numbers([program(''), program('a = 2; '), program('', '#define a b\n')], true);
    expect(back?.[0]).not.toBe(first?.[0]);
  });
});
