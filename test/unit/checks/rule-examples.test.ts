/**
 * Every rule's own examples: `bad` is reported on exactly the marked lines, `good` is not reported at all. They are also
 * what the rule's page shows, so a page cannot claim what the engine does not do.
 */

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/base/finding.ts';
import { positionAt } from '../../../src/base/source-text.ts';
import { exampleProgram } from '../../../src/checks/example.ts';
import { rulePage } from '../../../src/checks/rule-page.ts';
import { rules } from '../../../src/checks/rules/index.ts';
import type { Analysis } from '../../../src/pipeline.ts';
import { analyseText } from '../../support/engine.ts';

/** Findings of other rules that a `bad` example cannot be written without, and why. */
const companions: Readonly<Record<string, { readonly rules: readonly string[]; readonly why: string }>> = {};

function shown(analysis: Analysis, finding: Finding): string {
  const source = analysis.sources.get(finding.span.file);
  const line = source ? positionAt(source, finding.span.start).line : 0;
  return `${line}: ${finding.severity}[${finding.rule}] ${finding.message}`;
}

function line(analysis: Analysis, finding: Finding): number {
  const source = analysis.sources.get(finding.span.file);
  return source ? positionAt(source, finding.span.start).line : 0;
}

const isLoud = (finding: Finding): boolean => finding.severity === 'error' || finding.severity === 'warning';

describe.each(rules.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  it('reports its bad example on the marked lines and nothing beside', async () => {
    const { text, lines } = exampleProgram(rule.bad);
    expect(lines.length, 'the bad example marks no line').toBeGreaterThan(0);
    const analysis = await analyseText(text);
    const own = analysis.findings.filter((finding) => finding.rule === id);
    expect(own.map((finding) => line(analysis, finding)).sort((a, b) => a - b)).toEqual(lines);
    for (const finding of own) {
      expect(finding.severity).toBe(rule.severity);
      // Sentences; they may begin with a name of the program or of CUDA.
      expect(finding.message).toMatch(/^(?:[A-Z`\d]|cu(?:da)?[A-Z])[\s\S]*\.$/);
    }
    const allowed = companions[id]?.rules ?? [];
    const others = analysis.findings.filter(
      (finding) => finding.rule !== id && isLoud(finding) && !allowed.includes(finding.rule),
    );
    expect(others.map((finding) => shown(analysis, finding))).toEqual([]);
    expect(analysis.gaps).toEqual([]);
  });

  it('is silent on its good example', async () => {
    const { text, lines } = exampleProgram(rule.good);
    expect(lines, 'the good example marks a line').toEqual([]);
    const analysis = await analyseText(text);
    const loud = analysis.findings.filter((finding) => isLoud(finding) || finding.rule === id);
    expect(loud.map((finding) => shown(analysis, finding))).toEqual([]);
    expect(analysis.gaps).toEqual([]);
  });

  it('has a page that says what, why and what to do', () => {
    const page = rulePage(rule);
    expect(page.startsWith(`# ${id}\n`)).toBe(true);
    expect(page.endsWith('\n')).toBe(true);
    for (const part of [rule.summary, rule.why, rule.remedy, rule.source]) {
      expect(part.length).toBeGreaterThan(10);
      expect(page).toContain(part);
      // What hangs, on a device, never ends.
      expect(part).not.toMatch(/\bhangs? on\b/);
    }
    expect(page).not.toContain('//!');
  });
});

describe('the catalogue', () => {
  it('has unique ids and numbers', () => {
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    expect(new Set(rules.map((rule) => rule.number)).size).toBe(rules.length);
  });

  it('names groups by the number, and ids in small letters', () => {
    for (const rule of rules) {
      expect(rule.number.startsWith(rule.group)).toBe(true);
      expect(rule.id).toMatch(/^[a-z]+(-[a-z0-9]+)+$/);
    }
  });
});
