import { describe, expect, it } from 'vitest';
import type { FromView, ToView } from '../../../src/scene/protocol.ts';
import type { Scene } from '../../../src/scene/scene.ts';
import { createActions } from '../../../src/view/actions.ts';
import type { Host } from '../../../src/view/host.ts';
import { nodesAt, receive, toViewState } from '../../../src/view/messages.ts';
import { createStore, initialState, type State } from '../../../src/view/store.ts';
import { chapterExample, emptyScene, everythingUnusual, forkJoin, generated } from '../../view-fixtures/scenes.ts';

function told(state: State, message: ToView): State {
  return { ...state, ...receive(state, message) };
}

const fork = told(initialState, { kind: 'scene', scene: forkJoin() });

describe('a scene arrives', () => {
  it('opens with the graph that is wrong, else with one that is launched by itself', () => {
    expect(told(initialState, { kind: 'scene', scene: everythingUnusual() }).graph).toBe(0);
    expect(fork.graph).toBe(0);
    expect(told(initialState, { kind: 'scene', scene: emptyScene() })).toMatchObject({ phase: 'ready', graph: 0 });
  });

  it('keeps graph, step, camera and selection over an edit of the same file', () => {
    const looking: State = {
      ...fork,
      graph: 1,
      step: 9,
      camera: { zoom: 2, panX: 1, panY: 1 },
      selection: { kind: 'node', graph: 1, id: 3 },
    };
    const edited = told(looking, { kind: 'scene', scene: forkJoin() });
    expect(edited).toMatchObject({ graph: 1, step: 9, camera: looking.camera, selection: looking.selection });
  });

  it('follows a graph by its name and drops a selection that means something else now', () => {
    const old = forkJoin();
    const moved: Scene = { ...old, graphs: [old.graphs[1]!, old.graphs[0]!].map((graph, id) => ({ ...graph, id })) };
    const looking: State = { ...fork, graph: 1, selection: { kind: 'node', graph: 1, id: 3 } };
    const edited = told(looking, { kind: 'scene', scene: moved });
    expect([edited.graph, edited.selection]).toEqual([0, null]);
  });

  it('clamps the cursor when the program got shorter', () => {
    const shorter = { ...forkJoin(), operations: forkJoin().operations.slice(0, 4) };
    expect(told({ ...fork, step: 11 }, { kind: 'scene', scene: shorter }).step).toBe(3);
  });

  it('forgets all of that for another file', () => {
    const other = told({ ...fork, step: 5, query: 'x' }, { kind: 'scene', scene: chapterExample() });
    expect(other).toMatchObject({ step: 0, query: '', selection: null, camera: null });
  });

  it('restores what an earlier window left behind, once, and only for its file', () => {
    const kept = toViewState({ ...fork, graph: 1, step: 3, pane: 'memory', selection: { kind: 'allocation', id: 2 } });
    const restored = told({ ...initialState, saved: kept }, { kind: 'scene', scene: forkJoin() });
    expect(restored).toMatchObject({ graph: 1, step: 3, pane: 'memory', saved: null, selection: { id: 2 } });
    const other = told({ ...initialState, saved: kept }, { kind: 'scene', scene: chapterExample() });
    expect(other).toMatchObject({ step: 0, selection: null });
  });

  it('does not restore a selection that no longer exists', () => {
    const kept = { ...toViewState(fork), graph: 99, step: 99, selection: { kind: 'node' as const, id: 99 } };
    const restored = told({ ...initialState, saved: kept }, { kind: 'scene', scene: forkJoin() });
    expect(restored).toMatchObject({ graph: 1, step: 11, selection: null });
  });
});

describe('the editor’s cursor', () => {
  it('finds the node of a line, also when paths are written differently', () => {
    expect(nodesAt(forkJoin(), '/home/me/src/pipeline/fork_join.cu', 47, 1)).toEqual([{ graph: 0, id: 3 }]);
    expect(nodesAt(forkJoin(), 'join.cu', 47, 1)).toEqual([]);
  });

  it('lights the node, goes to its graph and page, and selects it', () => {
    const revealed = told(fork, { kind: 'reveal', file: 'src/pipeline/fork_join.cu', line: 71, column: 5 });
    expect(revealed).toMatchObject({
      graph: 1,
      lit: [{ graph: 1, id: 3 }],
      selection: { kind: 'node', graph: 1, id: 3 },
    });
    const large = told(initialState, { kind: 'scene', scene: generated(1000) });
    expect(told(large, { kind: 'reveal', file: 'generated_1000.cu', line: 1009, column: 1 }).page).toBe(2);
  });

  it('does not take away what a person is looking at', () => {
    const looking: State = { ...fork, selection: { kind: 'finding', id: 0 } };
    const revealed = told(looking, { kind: 'reveal', file: 'src/pipeline/fork_join.cu', line: 43, column: 5 });
    expect([revealed.selection, revealed.lit]).toEqual([{ kind: 'finding', id: 0 }, [{ graph: 0, id: 1 }]]);
  });

  it('lights the step of a launch without moving the program’s own cursor', () => {
    const revealed = told(
      { ...fork, step: 2 },
      { kind: 'reveal', file: 'src/pipeline/fork_join.cu', line: 85, column: 5 },
    );
    expect([revealed.litOperations, revealed.step]).toEqual([[7], 2]);
  });

  it('lights nothing on a line without a call', () => {
    expect(told(fork, { kind: 'reveal', file: 'src/pipeline/fork_join.cu', line: 2, column: 1 }).lit).toEqual([]);
  });

  it('keeps the selected one of several nodes that a loop makes on one line', () => {
    const scene = forkJoin();
    const place = scene.graphs[0]!.nodes[1]!.place;
    const graphs = [{ ...scene.graphs[0]!, nodes: scene.graphs[0]!.nodes.map((node) => ({ ...node, place })) }];
    const state: State = {
      ...told(initialState, { kind: 'scene', scene: { ...scene, graphs } }),
      selection: { kind: 'node', graph: 0, id: 7 },
    };
    const revealed = told(state, { kind: 'reveal', file: place.file, line: place.range.start.line, column: 5 });
    expect([revealed.lit.length, revealed.selection]).toEqual([11, { kind: 'node', graph: 0, id: 7 }]);
  });
});

describe('other messages', () => {
  it('progress does not take the picture away, failure does', () => {
    const busy = told(fork, { kind: 'progress', title: 'Simulating', fraction: 0.2 });
    expect([busy.phase, busy.scene]).toEqual(['ready', fork.scene]);
    expect(told(busy, { kind: 'failed', title: 'a', detail: 'b' })).toMatchObject({
      phase: 'failed',
      scene: null,
      progress: null,
    });
    expect(told(busy, { kind: 'scene', scene: forkJoin() }).progress).toBeNull();
  });

  it('showing the simulation starts it at the beginning', () => {
    expect(told({ ...fork, step: 7 }, { kind: 'show', pane: 'memory' })).toMatchObject({ pane: 'memory', step: 0 });
    expect(told({ ...fork, step: 7 }, { kind: 'show', pane: 'graph' })).toMatchObject({ pane: 'graph', step: 7 });
  });
});

describe('what a person does', () => {
  function desk(scene: Scene) {
    const store = createStore();
    const sent: FromView[] = [];
    const host: Host = {
      standalone: false,
      post: (message) => sent.push(message),
      listen: () => {},
      remember: () => {},
      recall: () => undefined,
    };
    store.set(receive(store.get(), { kind: 'scene', scene }));
    return { store, sent, actions: createActions(store, host) };
  }

  it('choosing a node of another graph goes there and opens its code beside', () => {
    const { store, sent, actions } = desk(forkJoin());
    actions.select({ kind: 'node', graph: 1, id: 3 }, { open: true });
    expect(store.get()).toMatchObject({ graph: 1, page: 0 });
    expect(sent).toMatchObject([{ kind: 'open', preserveFocus: true, place: { range: { start: { line: 71 } } } }]);
  });

  it('choosing a node inside a drawn child graph stays in the outer picture', () => {
    const { store, actions } = desk(everythingUnusual());
    actions.select({ kind: 'node', graph: 1, id: 0 });
    expect(store.get().graph).toBe(0);
    expect(toViewState(store.get()).selection).toBeNull();
  });

  it('walks through the findings and round again', () => {
    const { store, actions } = desk(chapterExample());
    const seen = [1, 2, 3].map(() => {
      actions.nextFinding(1);
      return store.get().selection;
    });
    expect(seen.map((selection) => selection?.id)).toEqual([0, 1, 0]);
  });

  it('stepping stops at both ends and shows the step unless something else is selected', () => {
    const { store, actions } = desk(forkJoin());
    actions.stepBy(-1);
    expect(store.get()).toMatchObject({ step: 0, selection: { kind: 'operation', id: 0 } });
    actions.goToStep(99);
    expect(store.get()).toMatchObject({ step: 11, selection: { kind: 'operation', id: 11 } });
    actions.select({ kind: 'allocation', id: 0 });
    actions.stepBy(-1);
    expect(store.get()).toMatchObject({ step: 10, selection: { kind: 'allocation', id: 0 } });
  });

  it('jumps from match to match and onto other pages', () => {
    const { store, actions } = desk(generated(1000));
    actions.search('buffer41');
    actions.nextMatch(-1);
    expect(store.get().page).toBe(2);
    expect(store.get().selection).toMatchObject({ kind: 'node' });
  });
});
