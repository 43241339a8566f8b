/** The short way over a tree says what the parser's own cursor says. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import { type TreeWalk, useRuntime, walkTree } from '../../../src/syntax/tree-walk.ts';
import { readGrammar, repository } from '../../support/engine.ts';

let parser: Parser;
let isDirect = false;

beforeAll(async () => {
  const runtime = { wasmBinary: await readGrammar('web-tree-sitter.wasm') };
  await Parser.init(runtime);
  isDirect = useRuntime(runtime);
  parser = new Parser();
  parser.setLanguage(await Language.load(await readGrammar('tree-sitter-cuda.wasm')));
});

function shown(walk: TreeWalk): string {
  const out = [[walk.typeId(), walk.fieldId(), walk.start(), walk.end(), walk.isMissing()].join(' ')];
  if (!walk.toFirstChild()) return out.join('');
  do out.push(shown(walk));
  while (walk.toNextSibling());
  walk.toParent();
  return `(${out.join('\n')})`;
}

function shownByCursor(tree: Tree): string {
  const cursor = tree.walk();
  const show = (at: TreeCursor): string => {
    const out = [[at.nodeTypeId, at.currentFieldId, at.startIndex, at.endIndex, at.nodeIsMissing].join(' ')];
    if (!at.gotoFirstChild()) return out.join('');
    do out.push(show(at));
    while (at.gotoNextSibling());
    at.gotoParent();
    return `(${out.join('\n')})`;
  };
  const all = show(cursor);
  cursor.delete();
  return all;
}

const texts = ['0001.cu', '0042.cu', '0161.cu'].map((name) =>
  readFileSync(path.join(repository, 'test', 'programs', name), 'utf8'),
);

describe('walking a tree', () => {
  it('goes the short way with the version of the parser that is pinned', () => {
    expect(isDirect).toBe(true);
  });

  it.each([...texts, '', 'int f( { ü"日本" ]] }', `int a = ${'('.repeat(300)}1${')'.repeat(300)};`])(
    'shows the same nodes (text %#)',
    (text) => {
      const tree = parser.parse(text)!;
      for (let round = 0; round < 3; round++) expect(walkTree(tree, shown)).toBe(shownByCursor(tree));
      tree.delete();
    },
  );
});
