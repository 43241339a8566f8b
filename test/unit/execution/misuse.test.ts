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

/** Answers that hang on what is not modelled yet, and why. */
const notYet: Readonly<Record<string, string>> = {
  huge_size: 'the size of the device is not known',
  host_location: 'parameters of allocation nodes are not checked (A8)',
  no_alloctype: 'parameters of allocation nodes are not checked (A8)',
  handle_types: 'parameters of allocation nodes are not checked (A8)',
  access_desc_self: 'parameters of allocation nodes are not checked (A8)',
  use_before_launch: 'a stream operation on memory that is not live is reported (B1) but not refused',
  device_launch_flag: 'device launch is not modelled (E10)',
  conditional_body: 'bodies of conditional nodes are not told apart (E7)',
  cap_begin_legacy: 'cudaStreamLegacy by name is not the legacy stream here (C5)',
  cap_wait_outside_on_captured_event_after_end: 'a captured event stays captured when the capture has ended (C13)',
  cap_graphLaunch_inside_nomem: 'a launch into a capturing stream is accepted (C28)',
  cap_graphLaunch_inside_relaxed_uploaded: 'a launch into a capturing stream is accepted (C28)',
  kernel_node_disable_alloc: 'enabling and disabling nodes is not modelled (D15)',
  node_set_params_alloc: 'parameters of memory nodes cannot be changed (D14)',
  instantiate_upload_flag_no_params: 'the upload flag without a stream is accepted (D7)',
  autofree_device_launch: 'device launch is not modelled (D6)',
  moved_child_then_edit: 'graphs that were moved into another are not closed (E4)',
  alloc_into_child_of_clone: 'graphs embedded by a clone are not told apart (E6)',
  exec_update_stale_ptr: 'an update does not change who owns what (D12)',
  exec_update_while_live: 'an update does not change who owns what (D13)',
  graph_destroy_keeps_exec: 'a destroyed graph is still accepted',
  memGetInfo_attrs: 'device numbers are not checked',
  cap_hostFunc_kernel_copy: 'cudaStreamAddCallback is accepted in a capture (C1)',
  cap_event_flags: 'external event flags outside a capture are accepted (C29)',
  double_cudaFree_and_interior: 'an interior pointer is freed as if it were the start (M)',
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
