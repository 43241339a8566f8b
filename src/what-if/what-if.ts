/** A what-if: the changed run, simulated and judged anew, and the edits that make it true in the code. */

import { applyEdits } from '../base/apply-edits.ts';
import type { TextEdit } from '../base/finding.ts';
import type { SourceText } from '../base/source-text.ts';
import { buildFacts, type Facts } from '../checks/facts.ts';
import { checkPaths, type Report } from '../checks/run.ts';
import type { Scene } from '../scene/scene.ts';
import type { WhatIfChange } from '../scene/what-if-change.ts';
import type { Trace } from '../trace/event.ts';
import { onOtherPath, type Stage, stagesOf } from './changes.ts';
import { editsFor } from './edits.ts';
import { numbersOf, promiseOf, shapeOf } from './numbers.ts';
import { unchanged } from './steps.ts';

/** All paths from one entry; the first is the ordinary one, which is drawn. */
export type Paths = readonly { readonly trace: Trace; readonly leavesEarly: boolean }[];

/** One text, read: what changes are tried on. */
export interface Reading {
  readonly file: string;
  readonly text: string;
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly gaps: number;
  readonly paths: Paths;
  /** The picture of a path with what was found. */
  readonly picture: (facts: Facts, reports: readonly Report[]) => Scene;
}

/** The one replacement that makes the changes in the code, or why there is none. */
export type WhatIfCode =
  | { readonly kind: 'edit'; readonly edit: TextEdit }
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads an edited text; null when the entry is no more in it. */
export type ReadAgain = (text: string) => Reading | null;

/** The scene with the changes made; without `whatIf` when they do not fit the program (any more). */
export function whatIfScene(reading: Reading, changes: readonly WhatIfChange[], readAgain: ReadAgain): Scene {
  const before = sceneWith(reading, []) ?? reading.picture(buildFacts(reading.paths[0]!.trace), []);
  if (changes.length === 0) return before;
  const after = sceneWith(reading, changes);
  if (!after) return before;
  const code = codeFor(reading, changes, readAgain);
  return {
    ...after,
    whatIf: {
      changes,
      before: numbersOf(before),
      after: numbersOf(after),
      refusal: code.kind === 'refused' ? code.reason : null,
    },
  };
}

/**
 * The changes as an edit: step by step, each time reading the edited text and going on only when it has the shape that the
 * changed trace has; at the end everything simulated and found must be what the what-if promised.
 */
export function codeFor(reading: Reading, changes: readonly WhatIfChange[], readAgain: ReadAgain): WhatIfCode {
  const stages = stagesOf(reading.paths[0]!.trace, changes);
  const promised = sceneWith(reading, changes);
  if (!stages || !promised) return refused('The changes do not fit the program any more.');
  let now = reading;
  let origins = unchanged(reading.paths[0]!.trace).origins;
  for (const stage of stages) {
    const next = takeStep(now, origins, stage, readAgain);
    if (next === null) return refused(reasons[stage.step.kind]);
    now = next;
    origins = stage.after.origins;
  }
  if (now === reading) return refused('The code does this already.');
  const reached = sceneWith(now, []);
  if (!reached || promiseOf(reached) !== promiseOf(promised))
    return refused('The edited code would not do the same on every path.');
  return { kind: 'edit', edit: differenceOf(reading.file, reading.text, now.text) };
}

const reasons: Readonly<Record<Stage['step']['kind'], string>> = {
  addDependency: 'The code gives no place where this dependency alone could be added.',
  dropDependency: 'The code gives no place where this dependency alone could be taken out.',
  moveBehind: 'The free cannot be moved in the code: it and the last use stand in different functions or loops.',
  launchStream: 'The stream has no name where the launch stands, or the call serves other launches too.',
  autoFree: 'The flags of this instantiation cannot be changed in the text, or the call serves other graphs too.',
};

function refused(reason: string): WhatIfCode {
  return { kind: 'refused', reason };
}

function takeStep(now: Reading, origins: readonly number[], stage: Stage, readAgain: ReadAgain): Reading | null {
  const { trace } = now.paths[0]!;
  const facts = buildFacts(trace);
  const context = { sources: now.sources, facts, event: (origin: number) => trace.events[origins.indexOf(origin)] };
  const wanted = shapeOf(buildFacts(stage.after.trace).execution);
  const verbs = verbsOf(stage.after.trace);
  for (const edits of editsFor(context, stage.step)) {
    if (edits.some((edit) => edit.span.file !== now.file)) continue;
    const next = readAgain(applyEdits(now.text, edits));
    const edited = next?.paths[0]?.trace;
    if (!next || !edited || next.gaps > now.gaps || verbsOf(edited) !== verbs) continue;
    if (shapeOf(buildFacts(edited).execution) === wanted) return next;
  }
  return null;
}

function verbsOf(trace: Trace): string {
  return trace.events.map((event) => event.verb).join(' ');
}

/** The picture of the ordinary path, with what is found on all paths. Null when a change does not fit. */
function sceneWith(reading: Reading, changes: readonly WhatIfChange[]): Scene | null {
  const ordinary = reading.paths[0]!.trace;
  const stages = stagesOf(ordinary, changes);
  if (!stages) return null;
  const last = stages.at(-1)?.after ?? unchanged(ordinary);
  const paths = reading.paths.map(({ trace, leavesEarly }, index) => {
    const own = index === 0 ? stages : stagesOf(trace, onOtherPath(changes, ordinary, trace));
    return { facts: buildFacts(own?.at(-1)?.after.trace ?? trace), leavesEarly };
  });
  const scene = reading.picture(paths[0]!.facts, checkPaths(paths, reading.sources));
  const origin = (event: number | undefined): number | undefined => {
    const known = event === undefined ? -1 : (last.origins[event] ?? -1);
    return known < 0 ? undefined : known;
  };
  return withEvents(scene, origin);
}

/** Everything in the scene named by what it was before the changes, so that further changes can be made. */
function withEvents(scene: Scene, origin: (event: number | undefined) => number | undefined): Scene {
  const named = <T extends { readonly event?: number }>({ event, ...rest }: T) => {
    const known = origin(event);
    return { ...rest, ...(known === undefined ? {} : { event: known }) };
  };
  return {
    ...scene,
    operations: scene.operations.map(named),
    graphs: scene.graphs.map((graph) => ({
      ...graph,
      nodes: graph.nodes.map(named),
      ...(graph.executable
        ? { executable: { ...graph.executable, event: origin(graph.executable.event) ?? graph.executable.event } }
        : {}),
    })),
    ...(scene.streams ? { streams: scene.streams.map((each) => ({ ...each, event: origin(each.event) ?? -1 })) } : {}),
  };
}

/** One replacement of what differs, whole lines. */
function differenceOf(file: string, before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  start = before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    span: { file, start, end: before.length - end },
    newText: after.slice(start, after.length - end),
  };
}
