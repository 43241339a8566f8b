/**
 * Law: a program of which a part stands in a file that is not seen has no mistake that the whole program does not have. Each
 * program without a mistake loses one function's body at a time, or its `main`; what is left is as right as before.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import type { Module } from '../../src/program/program.ts';
import { parseCuda } from '../../src/syntax/cuda/parse.ts';
import { readGrammar, testEngine } from '../support/engine.ts';
import { suitePrograms } from '../support/program-suite.ts';

const rightPrograms = suitePrograms.filter((program) => !program.verdict.bad);

/** Where a function that the host runs has its body. */
interface Body {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Where its declaration ends: before the body, and before a constructor's initialisers. */
  readonly head: number;
}

function bodiesOf(text: string, module: Module): readonly Body[] {
  return [...module.functions, ...module.classes.flatMap((each) => each.methods)].flatMap((definition) => {
    if (!definition.body || definition.isKernel || definition.isDevice || definition.isDefaulted) return [];
    const head = closing(text, text.indexOf('(', definition.nameSpan.end)) + 1;
    const between = /^(?:\s|const|noexcept|override)*(?=[:{])/.exec(text.slice(head));
    const start = text.indexOf('{', head);
    if (!between || start < 0 || start > definition.span.end) return [];
    return [{ name: definition.name, start, end: definition.span.end, head: head + between[0].trimEnd().length }];
  });
}

/** The parenthesis that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return open;
}

const without = (text: string, { head, end }: Body): string => `${text.slice(0, head)};${text.slice(end)}`;

let parser: Parser;

beforeAll(async () => {
  await testEngine();
  parser = new Parser();
  parser.setLanguage(await Language.load(await readGrammar('tree-sitter-cuda.wasm')));
});

describe('a program without a mistake has none either', () => {
  it.each(rightPrograms.map((program) => [program.name, program] as const))('%s', async (_, program) => {
    const engine = await testEngine();
    const { file, text } = program;
    const bodies = bodiesOf(text, parseCuda(parser, file, text));
    expect(bodies.length).toBeGreaterThan(0);
    const whole = engine.analyse({ file, text, language: 'cuda' }).findings.map(({ rule }) => rule);
    const wrong = bodies.flatMap((body) => {
      const { findings } = engine.analyse({ file, text: without(text, body), language: 'cuda' });
      return findings
        .filter(({ rule, severity }) => severity !== 'hint' && !whole.includes(rule))
        .map(({ rule }) => `without ${body.name}: ${rule}`);
    });
    expect(wrong).toEqual([]);
  });
});
