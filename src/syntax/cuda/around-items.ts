/** What is open around a top-level item: namespaces, `extern "C"`, suites of tests. */

import { closingBracket } from './scan.ts';

/** What stands for a namespace without a name among those that are open. */
const unnamed = '{';
/** What a suite begins with there, in front of the class of its tests. */
const suite = '(suite)';

/** Whether a brace behind this opens what is only around items: `extern "C" {`, and `TEST_SUITE("name") {` of doctest, which is a namespace. */
export function isLinkage(head: string): boolean {
  return /^(?:extern\s*"[^"]*"|TEST_SUITE\s*\(\s*"[^"]*"[^(){}]*\))\s*$/.test(head);
}

/** The name in `namespace a::b`; nothing for one whose names are those of what is around it everywhere. */
export function namespaceIn(head: string): string {
  const found =
    /^(inline\s+)?namespace\s+(?:__attribute__\s*\(\(.*?\)\)\s*|\[\[.*?\]\]\s*|[A-Z_]+\s+(?=\w))?([\w:\s]*)$/.exec(
      head.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ' '),
    );
  if (!found || found[1]) return '';
  const name = found[2]!.replace(/\binline\b|\s+/g, '');
  return name === '' ? unnamed : name;
}

/** Of what is open: the namespaces that have names, whether one has none, and the class of the tests in the innermost suite that says one. */
export function namesAround(around: readonly string[]): { namespace: string; isUnnamed: boolean; fixture: string } {
  const fixtures = around.filter((name) => name.startsWith(suite) && name.length > suite.length);
  return {
    namespace: around.filter((name) => name !== '' && name !== unnamed && !name.startsWith(suite)).join('::'),
    isUnnamed: around.includes(unnamed),
    fixture: fixtures.at(-1)?.slice(suite.length) ?? '',
  };
}

/** `BOOST_FIXTURE_TEST_SUITE(name, Fixture)` or its end at `index`: what is open behind it, and where that is; null for anything else. */
export function suiteAt(
  text: string,
  index: number,
  around: readonly string[],
): { readonly end: number; readonly around: readonly string[] } | null {
  if (!text.startsWith('BOOST_', index)) return null;
  const [head, kind] =
    /^BOOST_(FIXTURE_TEST_SUITE|AUTO_TEST_SUITE|AUTO_TEST_SUITE_END)\s*\(/.exec(text.slice(index, index + 60)) ?? [];
  const open = head === undefined ? -1 : index + head.length - 1;
  const close = open < 0 ? -1 : closingBracket(text, open);
  if (close < 0) return null;
  const end = close + 1;
  if (kind === 'AUTO_TEST_SUITE_END')
    return { end, around: around.at(-1)?.startsWith(suite) ? around.slice(0, -1) : around };
  const fixture =
    kind === 'FIXTURE_TEST_SUITE' ? /^[^,]*,\s*([\w:]+)/.exec(text.slice(open + 1, close))?.[1] : undefined;
  return { end, around: [...around, suite + (fixture ?? '')] };
}
