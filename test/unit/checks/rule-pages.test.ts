/** `docs/rules` is what `node scripts/rule-pages.mjs` writes. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulePage } from '../../../src/checks/rule-page.ts';
import { rules } from '../../../src/checks/rules/index.ts';
import { repository } from '../../support/engine.ts';

const folder = path.join(repository, 'docs', 'rules');
const remedy = 'run node scripts/rule-pages.mjs';

describe('the rules’ pages', () => {
  it('are there for every rule and no other', () => {
    const expected = [...rules.map((rule) => `${rule.id}.md`), 'README.md'].sort();
    expect(readdirSync(folder).sort(), remedy).toEqual(expected);
  });

  it.each(rules.map((rule) => [rule.id, rule] as const))('%s is up to date', (id, rule) => {
    expect(readFileSync(path.join(folder, `${id}.md`), 'utf8'), remedy).toBe(rulePage(rule));
  });

  it('are listed', () => {
    const list = readFileSync(path.join(folder, 'README.md'), 'utf8');
    for (const rule of rules) {
      expect(list, remedy).toContain(`(${rule.id}.md)`);
      expect(list, remedy).toContain(rule.summary.replaceAll('|', '\\|'));
    }
  });
});
