/**
 * What each call returns, against recordings of a real driver: `misuse.cu` asked it, `misuse.jsonl` has its answers. Every
 * case of the program is read as a program of its own; the calls it names with `S("step", …)` must return what was
 * recorded.
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/checks/facts.ts';
import { analyseText, repository } from '../../support/engine.ts';

interface Recorded {
  readonly case: string;
  readonly steps: readonly (readonly [string, string])[];
}

const recordings = path.join(repository, 'test', 'recordings');
const source = readFileSync(path.join(recordings, 'misuse.cu'), 'utf8');
const recorded: readonly Recorded[] = readFileSync(path.join(recordings, 'misuse.jsonl'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.trim() ? [JSON.parse(line)] : []));

const prelude = source.slice(0, source.indexOf('static vector<pair<const char *, function<void()>>> cases;'));
const helper = /^static cudaGraphNode_t MS\(.*$/m.exec(source)?.[0] ?? '';

function programOf(name: string): string {
  const body = new RegExp(`^CASE\\(${name}\\) (\\{.*\\})$`, 'm').exec(source)?.[1] ?? '{}';
  return `${prelude}${helper}\nint main() ${body}\n`;
}

/** The calls named by `S("step", call)`, with what they returned in our execution, in order. */
function answers(text: string, facts: Facts): readonly (readonly [string, string])[] {
  const regions = [...text.matchAll(/\bS\("([^"]+)", /g)].map((match) => {
    const start = match.index + match[0].length;
    return { step: match[1] ?? '', start, end: closing(text, start) };
  });
  return facts.execution.calls.flatMap((call) => {
    const span = facts.trace.events[call.event]?.span;
    const region = regions.find((each) => span !== undefined && each.start <= span.start && span.end <= each.end);
    return region ? [[region.step, call.result === 'cudaSuccess' ? 'ok' : call.result] as const] : [];
  });
}

/** The offset of the parenthesis that closes what is open at `start`. */
function closing(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index++) {
    if (text[index] === '(') depth++;
    else if (text[index] === ')' && --depth === 0) return index;
  }
  return text.length;
}

/** Steps with an answer of ours, each beside the recorded one; steps whose call we do not model are left out. */
function compared(ours: readonly (readonly [string, string])[], theirs: Recorded['steps']): [string[], string[]] {
  const left = [...ours];
  const mine: string[] = [];
  const known: string[] = [];
  for (const [step, result] of theirs) {
    const index = left.findIndex(([name]) => name === step);
    if (index < 0) continue;
    mine.push(`${step}: ${left[index]?.[1]}`);
    known.push(`${step}: ${result}`);
    left.splice(index, 1);
  }
  return [mine, known];
}

/** Answers that an analysis leaves open and only a replay of the program gives, and why. */
const notYet: Readonly<Record<string, string>> = {
  huge_size: 'the simulated driver answers it',
  access_desc_self: 'how many devices there are is not known (A8)',
  use_before_launch: 'a stream operation on memory that is not live is reported (B1) but not refused',
  graph_destroy_keeps_exec: 'a stream operation on memory that is not live is reported (B1) but not refused',
  memGetInfo_attrs: 'how many devices there are is not known',
  cap_hostFunc_kernel_copy: 'cudaStreamAddCallback is two events, one of which is accepted (C1)',
};

let covered = 0;

describe('results of calls', () => {
  for (const { case: name, steps } of recorded) {
    (notYet[name] ? it.fails : it)(name, async () => {
      const text = programOf(name);
      const analysis = await analyseText(text);
      const facts = analysis.facts.get('main');
      if (!facts) return;
      const [mine, known] = compared(answers(text, facts), steps);
      if (known.length > 0) covered++;
      expect(mine).toEqual(known);
    });
  }

  it('compares most of the recorded cases', () => {
    expect(covered).toBeGreaterThanOrEqual(85);
  });
});
