/** Programs in pairs, as bodies of `main`: one with a mistake, one without. */

import { describe, expect, it } from 'vitest';
import { analyseText } from './engine.ts';

/**
 * What it is; the rule that the mistake breaks, nothing where any finding will do; what stands before `main`; the two bodies of
 * `main`, or whole programs from `int main(` on. One of the two may be left out.
 */
export type Row = readonly [what: string, rule: string, before: string, bad: string, good: string];

/** Rules of severity error or warning that are broken. */
async function broken(head: string, before: string, body: string): Promise<readonly string[]> {
  const main = body.includes('int main(') ? body : `int main() {\n${body}\nreturn 0; }`;
  const { findings } = await analyseText(`${head}\n${before}\n${main}\n`);
  return [...new Set(findings.filter(({ severity }) => severity !== 'hint').map(({ rule }) => rule))];
}

/** Each mistake is found, and nothing is said of what is right. */
export function describeRows(title: string, head: string, rows: readonly Row[]): void {
  describe(title, () => {
    it.each(rows)('%s', async (_what, rule, before, bad, good) => {
      expect(bad + good).not.toBe('');
      if (bad !== '') {
        const rules = await broken(head, before, bad);
        if (rule === '') expect(rules).not.toEqual([]);
        else expect(rules).toContain(rule);
      }
      if (good !== '') expect(await broken(head, before, good)).toEqual([]);
    });
  });
}

/**
 * A condition that must be known to hold: what hangs on it is used behind its end, and the opposite is not. For heads that define `make`,
 * `run` and `drop` of memory; `before` stands in front of the condition.
 */
export function whenKnown(what: string, before: string, condition: string): Row {
  return [
    what,
    'async-use-after-free',
    '',
    `float *p = make(); ${before} if (${condition}) drop(p); run(p);`,
    `float *p = make(); ${before} if (!(${condition})) drop(p); run(p); drop(p);`,
  ];
}
