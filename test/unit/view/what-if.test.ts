/** The what-if in the view: what is offered, what the banner says, and what is sent. */

import { describe, expect, it } from 'vitest';
import type { FromView } from '../../../src/scene/protocol.ts';
import type { Scene } from '../../../src/scene/scene.ts';
import type { WhatIf, WhatIfNumbers } from '../../../src/scene/what-if-change.ts';
import { createActions } from '../../../src/view/actions.ts';
import { receive } from '../../../src/view/messages.ts';
import { createStore, initialState } from '../../../src/view/store.ts';
import {
  comparisonsOf,
  droppableDependencies,
  moveOf,
  possibleDependencies,
  streamsFor,
} from '../../../src/view/what-if-model.ts';
import { chapterExample, forkJoin } from '../../view-fixtures/scenes.ts';

const MiB = 1 << 20;

const numbers: WhatIfNumbers = {
  used: 64 * MiB,
  reserved: 96 * MiB,
  remaps: 3,
  remapped: 192 * MiB,
  violations: 1,
  footprints: [34 * MiB, null],
};

const whatIf: WhatIf = {
  changes: [{ kind: 'addDependency', from: 7, to: 9 }],
  before: numbers,
  after: { ...numbers, reserved: 64 * MiB, remaps: 2, remapped: 256 * MiB, violations: 0, footprints: [34 * MiB, 1] },
  refusal: null,
};

/** The scene as a server sends it: every node names the event that added it. */
function withEvents(scene: Scene): Scene {
  const graphs = scene.graphs.map((graph) => ({
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, event: 100 * graph.id + node.id })),
  }));
  return { ...scene, graphs };
}

const graph = withEvents(chapterExample()).graphs[0]!;
const named = (label: string) => graph.nodes.find((node) => node.label === label)!.id;
const free = graph.nodes.find((node) => node.kind === 'memFree')!.id;

describe('the banner', () => {
  it('says what gets better, worse or stays, for the graph shown', () => {
    const words = comparisonsOf(whatIf, 0).map(
      ({ name, before, after, trend }) => `${name} ${before} → ${after} ${trend}`,
    );
    expect(words).toEqual([
      'reserved 96 MiB → 64 MiB better',
      'used 64 MiB → 64 MiB same',
      'footprint 34 MiB → 34 MiB same',
      'remaps 3 → 2 better',
      'mapped 192 MiB → 256 MiB worse',
      'violations 1 → 0 better',
    ]);
  });

  it('leaves out a footprint that is not known', () => {
    expect(comparisonsOf(whatIf, 1).map(({ name }) => name)).not.toContain('footprint');
  });
});

describe('what is offered', () => {
  it('dependencies that make no cycle and are not there yet', () => {
    const offered = possibleDependencies(graph, named('d'));
    expect(offered).toContain(free);
    for (const edge of graph.edges.filter((each) => each.to === named('d'))) expect(offered).not.toContain(edge.from);
    expect(possibleDependencies(graph, named('a'))).not.toContain(named('d'));
    expect(droppableDependencies(graph, free)).toEqual(
      graph.edges.filter((edge) => edge.to === free).map((edge) => edge.from),
    );
  });

  it('nothing for nodes whose call is not known, and no lists for captured graphs', () => {
    const plain = chapterExample().graphs[0]!;
    expect([possibleDependencies(plain, 3), droppableDependencies(plain, 3), moveOf(plain, free)]).toEqual([
      [],
      [],
      undefined,
    ]);
    expect(possibleDependencies({ ...graph, built: 'capture' }, named('d'))).toEqual([]);
  });

  it('moving a free only where a use does not come before it', () => {
    expect(moveOf(graph, free)).toEqual({ reason: null });
    const behind = graph.nodes.filter((node) => node.id !== free).map(({ id }) => id);
    const edges = [...graph.edges, ...behind.map((from) => ({ from, to: free, certainty: 'always' as const }))];
    expect(moveOf({ ...graph, edges }, free)?.reason).toMatch(/already/);
    expect(moveOf(graph, named('a'))).toBeUndefined();
  });

  it('streams that exist when the launch is made', () => {
    const scene: Scene = {
      ...forkJoin(),
      streams: [
        { handle: 3, name: 'first', event: 2 },
        { handle: 4, name: 'late', event: 40 },
        { handle: 0, name: 'default stream', event: -1 },
      ],
    };
    const launch = { ...scene.operations.find((each) => each.nth !== undefined)!, event: 20 };
    expect(streamsFor(scene, launch).map(({ name }) => name)).toEqual(['first', 'default stream']);
    const { nth: _, ...other } = launch;
    expect(streamsFor(scene, other)).toEqual([]);
  });
});

describe('what is sent', () => {
  function desk(scene: Scene, standalone = false) {
    const store = createStore({ ...initialState, ...receive(initialState, { kind: 'scene', scene }) });
    const sent: FromView[] = [];
    const host = {
      standalone,
      post: (message: FromView) => void sent.push(message),
      listen() {},
      remember() {},
      recall: () => undefined,
    };
    return { sent, actions: createActions(store, host) };
  }

  it('each change on top of those shown', () => {
    const { sent, actions } = desk({ ...chapterExample(), whatIf });
    actions.tryChange({ kind: 'moveFree', free: 5 });
    actions.tryChange({ kind: 'dropDependency', from: 7, to: 9 });
    expect(sent).toEqual([
      { kind: 'whatIf', changes: [...whatIf.changes, { kind: 'moveFree', free: 5 }] },
      { kind: 'whatIf', changes: [] },
    ]);
  });

  it('applied only when the code can follow; discarded only when there is something', () => {
    const refused = desk({ ...chapterExample(), whatIf: { ...whatIf, refusal: 'no place' } });
    refused.actions.applyWhatIf();
    expect(refused.sent).toEqual([]);
    const { sent, actions } = desk({ ...chapterExample(), whatIf });
    actions.applyWhatIf();
    expect(actions.discardWhatIf()).toBe(true);
    expect(sent).toEqual([
      { kind: 'applyWhatIf', changes: whatIf.changes },
      { kind: 'whatIf', changes: [] },
    ]);
    expect(desk(chapterExample()).actions.discardWhatIf()).toBe(false);
  });

  it('nothing from a page of its own', () => {
    expect(desk(chapterExample(), true).actions.canChange).toBe(false);
  });
});
