/** What a what-if promises is what the same change gives when it is made in the text by hand. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/base/apply-edits.ts';
import type { Analysis } from '../../../src/pipeline.ts';
import type { Scene, SceneNode } from '../../../src/scene/scene.ts';
import { type WhatIfChange, withChange } from '../../../src/scene/what-if-change.ts';
import { numbersOf, promiseOf } from '../../../src/what-if/numbers.ts';
import { analyseText, languageOf, repository } from '../../support/engine.ts';

interface Case {
  readonly file: string;
  /** What is done to the file's text first. */
  readonly prepare?: (text: string) => string;
  readonly changes: (scene: Scene) => readonly WhatIfChange[];
  /** The text changed by hand. */
  readonly byHand: (text: string) => string;
  /** Whether the tool finds an edit by itself. */
  readonly hasEdit: boolean;
}

const nodeAt = (scene: Scene, label: string, kind?: SceneNode['kind']): SceneNode =>
  scene.graphs.flatMap((graph) => graph.nodes).find((node) => (kind ? node.kind === kind : node.label === label))!;

function eventOf(scene: Scene, line: RegExp, text: string): number {
  const at = text.split('\n').findIndex((each) => line.test(each)) + 1;
  const things = [...scene.graphs.flatMap((graph) => graph.nodes), ...scene.operations];
  return things.find((each) => each.place.range.start.line === at)!.event!;
}

const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
const stream = (scene: Scene, name: string): number => scene.streams!.find((each) => each.name === name)!.handle;

function replace(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, to);
}

const reuse = 'test/fixtures/reuse.cu';
const unordered = 'test/host/workspace/unordered.cu';
const alive = 'test/fixtures/one-stream-relaunched-alive.cu';
const switching = 'test/fixtures/launch-in-changing-streams.cu';

const cases: Readonly<Record<string, Case>> = {
  'a dependency of an allocation gives it a freed address': {
    file: reuse,
    changes: (scene) => [
      {
        kind: 'addDependency',
        from: eventOf(scene, /AddMemFreeNode\(&free2/, read(reuse)),
        to: eventOf(scene, /AddMemAllocNode\(&alloc3/, read(reuse)),
      },
    ],
    byHand: (text) =>
      replace(
        text,
        'cudaGraphAddMemAllocNode(&alloc3, graph, &alloc1, 1, &third);',
        'cudaGraphNode_t both[] = {alloc1, free2};\n  cudaGraphAddMemAllocNode(&alloc3, graph, both, 2, &third);',
      ),
    hasEdit: true,
  },
  'a dropped dependency costs an address': {
    file: reuse,
    changes: (scene) => [
      {
        kind: 'dropDependency',
        from: eventOf(scene, /AddMemFreeNode\(&free1/, read(reuse)),
        to: eventOf(scene, /AddMemAllocNode\(&alloc2/, read(reuse)),
      },
    ],
    byHand: (text) => replace(text, 'graph, &free1, 1, &second', 'graph, nullptr, 0, &second'),
    hasEdit: true,
  },
  'an edge to an earlier node comes too late for the address but counts for the order': {
    file: reuse,
    changes: (scene) => [
      {
        kind: 'addDependency',
        from: eventOf(scene, /AddKernelNode\(&use3/, read(reuse)),
        to: eventOf(scene, /AddKernelNode\(&use2/, read(reuse)),
      },
    ],
    byHand: (text) =>
      replace(
        text,
        'cudaGraphAddKernelNode(&use3, graph, &alloc3, 1, &kernel);',
        'cudaGraphAddKernelNode(&use3, graph, &alloc3, 1, &kernel);\n  cudaGraphAddDependencies(graph, &use3, &use2, nullptr, 1);',
      ),
    hasEdit: true,
  },
  'a dropped element of an array': {
    file: unordered,
    changes: (scene) => [
      {
        kind: 'dropDependency',
        from: eventOf(scene, /AddKernelNode\(&b/, read(unordered)),
        to: nodeAt(scene, '', 'memFree').event!,
      },
    ],
    byHand: (text) => replace(replace(text, '{b, c}', '{c}'), 'lastUses, 2', 'lastUses, 1'),
    hasEdit: true,
  },
  'a kernel that waits for the allocation': {
    file: unordered,
    changes: (scene) => [
      {
        kind: 'addDependency',
        from: nodeAt(scene, '', 'memAlloc').event!,
        to: eventOf(scene, /AddKernelNode\(&e/, read(unordered)),
      },
    ],
    byHand: (text) => replace(text, '&e, graph, nullptr, 0', '&e, graph, &allocNode, 1'),
    hasEdit: true,
  },
  'a free behind every use': {
    file: unordered,
    changes: (scene) => [{ kind: 'moveFree', free: nodeAt(scene, '', 'memFree').event! }],
    byHand: (text) => {
      const free =
        '  cudaGraphNode_t lastUses[] = {b, c};\n  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 2, data);\n';
      const last = '  cudaGraphAddKernelNode(&e, graph, nullptr, 0, &kernel);\n';
      const moved =
        '  cudaGraphNode_t lastUses[] = {b, c, d, e};\n  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 4, data);\n';
      return replace(replace(text, free, ''), last, last + moved);
    },
    hasEdit: true,
  },
  'two changes together': {
    file: unordered,
    changes: (scene) => [
      { kind: 'moveFree', free: nodeAt(scene, '', 'memFree').event! },
      {
        kind: 'addDependency',
        from: nodeAt(scene, '', 'memAlloc').event!,
        to: eventOf(scene, /AddKernelNode\(&e/, read(unordered)),
      },
    ],
    byHand: (text) => {
      const free =
        '  cudaGraphNode_t lastUses[] = {b, c};\n  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 2, data);\n';
      const last = '  cudaGraphAddKernelNode(&e, graph, nullptr, 0, &kernel);\n';
      const moved =
        '  cudaGraphAddKernelNode(&e, graph, &allocNode, 1, &kernel);\n  cudaGraphNode_t lastUses[] = {b, c, d, e};\n  cudaGraphAddMemFreeNode(&freeNode, graph, lastUses, 4, data);\n';
      return replace(replace(text, free, ''), last, moved);
    },
    hasEdit: true,
  },
  'automatic frees switched on': {
    file: alive,
    changes: (scene) => [{ kind: 'autoFree', instantiate: scene.graphs[0]!.executable!.event, value: true }],
    byHand: (text) =>
      replace(
        text,
        'cudaGraphInstantiate(&allocGraphExec, allocGraph, NULL, NULL, 0)',
        'cudaGraphInstantiate(&allocGraphExec, allocGraph, cudaGraphInstantiateFlagAutoFreeOnLaunch)',
      ),
    hasEdit: true,
  },
  'automatic frees switched off': {
    file: 'test/fixtures/one-stream-auto-free.cu',
    changes: (scene) => [{ kind: 'autoFree', instantiate: scene.graphs[0]!.executable!.event, value: false }],
    byHand: (text) => replace(text, 'cudaGraphInstantiateFlagAutoFreeOnLaunch', '0'),
    hasEdit: true,
  },
  'a launch in the stream of the launch before': {
    file: switching,
    changes: (scene) => [
      {
        kind: 'launchStream',
        launch: eventOf(scene, /cudaGraphLaunch\(exec, other/, read(switching)),
        stream: stream(scene, 'stream'),
      },
    ],
    byHand: (text) => replace(text, 'cudaGraphLaunch(exec, other)', 'cudaGraphLaunch(exec, stream)'),
    hasEdit: true,
  },
  'a launch in another stream': {
    file: switching,
    changes: (scene) => [
      {
        kind: 'launchStream',
        launch: eventOf(scene, /cudaGraphLaunch\(exec, stream/, read(switching)),
        stream: stream(scene, 'other'),
      },
    ],
    byHand: (text) => replace(text, 'cudaGraphLaunch(exec, stream)', 'cudaGraphLaunch(exec, other)'),
    hasEdit: true,
  },
  'every launch of a loop in another stream': {
    file: unordered,
    prepare: (text) =>
      replace(
        text,
        'cudaStreamCreate(&stream);',
        'cudaStreamCreate(&stream);\n  cudaStream_t other;\n  cudaStreamCreate(&other);',
      ),
    changes: (scene) => [
      {
        kind: 'launchStream',
        launch: scene.operations.filter((each) => each.op === 'cudaGraphLaunch')[1]!.event!,
        stream: stream(scene, 'other'),
      },
    ],
    byHand: (text) => replace(text, 'cudaGraphLaunch(program, stream)', 'cudaGraphLaunch(program, other)'),
    hasEdit: true,
  },
  'a captured free behind the last use': {
    file: 'test/fixtures/capture-kernel-behind-free.cu',
    changes: (scene) => [{ kind: 'moveFree', free: nodeAt(scene, '', 'memFree').event! }],
    byHand: (text) => moveLine(text, /cudaFreeAsync/, /^ {2}\w+<<<[^\n]*$/gm),
    hasEdit: true,
  },
  'TypeScript: a dropped dependency': {
    file: 'examples/planned-memory.ts',
    changes: (scene) => {
      const free = nodeAt(scene, '', 'memFree');
      const edge = scene.graphs[0]!.edges.find((each) => each.to === free.id)!;
      return [{ kind: 'dropDependency', from: scene.graphs[0]!.nodes[edge.from]!.event!, to: free.event! }];
    },
    byHand: (text) => replace(text, 'cudaGraphAddMemFreeNode(graph, [filterDone]', 'cudaGraphAddMemFreeNode(graph, []'),
    hasEdit: true,
  },
};

/** The line that matches, behind the last that matches `last`. */
function moveLine(text: string, line: RegExp, last: RegExp): string {
  const moved = text.split('\n').find((each) => line.test(each))!;
  const without = text.replace(`${moved}\n`, '');
  const target = [...without.matchAll(last)].at(-1)![0];
  return without.replace(target, `${target}\n${moved}`);
}

async function analyse(file: string, text: string): Promise<Analysis> {
  return analyseText(text, languageOf(file));
}

describe('a what-if equals a fresh simulation of the edited text', () => {
  it.each(Object.entries(cases))('%s', async (_, { file, prepare, changes, byHand, hasEdit }) => {
    const text = (prepare ?? String)(read(file));
    const analysis = await analyse(file, text);
    const wanted = changes(analysis.scene());
    const scene = analysis.scene({ changes: wanted });
    const fresh = (await analyse(file, byHand(text))).scene();
    expect(scene.whatIf?.before).toEqual(numbersOf(analysis.scene()));
    expect(scene.whatIf?.after).toEqual(numbersOf(fresh));
    expect(promiseOf(scene)).toBe(promiseOf(fresh));

    const code = analysis.whatIfCode({ changes: wanted });
    expect([code.kind, scene.whatIf?.refusal === null]).toEqual([hasEdit ? 'edit' : 'refused', hasEdit]);
    if (code.kind !== 'edit') return;
    const applied = (await analyse(file, applyEdits(text, [code.edit]))).scene();
    expect(promiseOf(applied)).toBe(promiseOf(fresh));
  });
});

describe('a list of changes', () => {
  const add: WhatIfChange = { kind: 'addDependency', from: 1, to: 2 };
  const drop: WhatIfChange = { kind: 'dropDependency', from: 1, to: 2 };

  it('forgets a change that is taken back', () => {
    expect(withChange([add], drop)).toEqual([]);
    expect(
      withChange([{ kind: 'autoFree', instantiate: 3, value: true }], {
        kind: 'autoFree',
        instantiate: 3,
        value: false,
      }),
    ).toEqual([]);
  });

  it('keeps the last stream of a launch and other changes', () => {
    const first: WhatIfChange = { kind: 'launchStream', launch: 5, stream: 1 };
    expect(withChange([first, add], { ...first, stream: 2 })).toEqual([add, { ...first, stream: 2 }]);
  });

  it('that does not fit the program is not shown, and not applied', async () => {
    const analysis = await analyse(reuse, read(reuse));
    const changes: readonly WhatIfChange[] = [{ kind: 'addDependency', from: 0, to: 9999 }];
    expect(analysis.scene({ changes }).whatIf).toBeUndefined();
    expect(analysis.whatIfCode({ changes })).toMatchObject({ kind: 'refused' });
  });

  it('without a place in the code is shown with the reason', async () => {
    const text = read('examples/branching.cu');
    const analysis = await analyse('examples/branching.cu', text);
    const scene = analysis.scene();
    const [first, second] = scene.graphs[0]!.nodes;
    const changes: readonly WhatIfChange[] = [{ kind: 'addDependency', from: second!.event!, to: first!.event! }];
    const changed = analysis.scene({ changes });
    expect(changed.whatIf?.changes).toEqual(changes);
    expect(changed.graphs[0]!.edges.length).toBe(scene.graphs[0]!.edges.length + 1);
  });
});
