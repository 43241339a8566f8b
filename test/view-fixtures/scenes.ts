/**
 * Scenes to look at and to test with: the example of chapter G.3.1 with its two mistakes, a fork and join captured over two
 * streams with two graphs that share blocks, a file with nothing in it, one with everything unusual, and one of any size.
 */

import type {
  NodeKind,
  Place,
  Scene,
  SceneAccess,
  SceneAllocation,
  SceneEdge,
  SceneFinding,
  SceneGraph,
  SceneNode,
  SceneOperation,
} from '../../src/scene/scene.ts';

const MiB = 1_048_576;

function at(file: string, line: number, column = 3, length = 40): Place {
  return { file, range: { start: { line, column }, end: { line, column: column + length } } };
}

interface NodeOptions {
  readonly bytes?: number | null;
  readonly allocation?: number;
  readonly accesses?: readonly SceneAccess[];
  readonly stream?: string;
  readonly childGraph?: number;
  readonly findings?: readonly number[];
  readonly certainty?: 'always' | 'sometimes';
}

function node(id: number, kind: NodeKind, label: string, place: Place, options: NodeOptions = {}): SceneNode {
  return { id, kind, label, place, accesses: [], certainty: 'always', findings: [], ...options };
}

function edges(...pairs: readonly (readonly [number, number])[]): readonly SceneEdge[] {
  return pairs.map(([from, to]) => ({ from, to, certainty: 'always' }));
}

function allocation(
  id: number,
  name: string,
  bytes: number | null,
  place: Place,
  more: Partial<SceneAllocation> = {},
): SceneAllocation {
  return { id, name, origin: 'graph', bytes, place, graph: 0, offset: 0, colour: id % 12, ...more };
}

function graph(
  id: number,
  name: string,
  place: Place,
  nodes: readonly SceneNode[],
  list: readonly SceneEdge[],
  more: Partial<SceneGraph> = {},
): SceneGraph {
  return {
    id,
    name,
    built: 'explicit',
    instantiated: true,
    flags: [],
    result: 'cudaSuccess',
    place,
    nodes,
    edges: list,
    peakLiveBytes: null,
    footprintBytes: null,
    ...more,
  };
}

function scene(file: string, parts: Partial<Scene>): Scene {
  return {
    version: 1,
    file,
    entry: 'main',
    entries: ['main'],
    driver: { name: '13.0', estimate: false },
    graphs: [],
    allocations: [],
    lanes: [],
    operations: [],
    blocks: [],
    findings: [],
    gaps: [],
    symbols: [],
    peak: { used: 0, reserved: 0 },
    ...parts,
  };
}

/** G.3.1: kernels a, b, c between alloc and free; d is not before the free, e is not after the alloc. */
export function chapterExample(): Scene {
  const file = 'examples/graph_memory_nodes.cu';
  const use: readonly SceneAccess[] = [{ allocation: 0, mode: 'readwrite' }];
  const nodes = [
    node(0, 'memAlloc', 'allocNode', at(file, 31), { bytes: 64 * MiB, allocation: 0 }),
    node(1, 'kernel', 'a', at(file, 34), { accesses: use }),
    node(2, 'kernel', 'b', at(file, 35), { accesses: use }),
    node(3, 'kernel', 'c', at(file, 36), { accesses: use }),
    node(4, 'memFree', 'freeNode', at(file, 41), { allocation: 0 }),
    node(5, 'kernel', 'd', at(file, 44), { accesses: use, findings: [0] }),
    node(6, 'kernel', 'e', at(file, 48), { accesses: use, findings: [1] }),
  ];
  const findings: readonly SceneFinding[] = [
    {
      rule: 'graph-use-free-race',
      severity: 'error',
      certainty: 'always',
      message:
        '`dptr` may be freed while kernel `d` still uses it: nothing orders `d` before `freeNode`. Add `d` to the dependencies of `freeNode`.',
      place: at(file, 44),
      related: [
        { role: 'allocated', message: 'by allocNode', place: at(file, 31) },
        { role: 'freed', message: 'by freeNode', place: at(file, 41) },
      ],
      witness: [
        { place: at(file, 31), message: '`dptr` is allocated by allocNode', graph: 0, node: 0 },
        { place: at(file, 36), message: 'c runs after a, and a after the allocation', graph: 0, node: 3 },
        { place: at(file, 44), message: 'd uses `dptr` after c', graph: 0, node: 5 },
        {
          place: at(file, 41),
          message: 'freeNode also runs after c, with no edge to or from d: either may come first',
          graph: 0,
          node: 4,
        },
      ],
    },
    {
      rule: 'graph-use-before-alloc',
      severity: 'error',
      certainty: 'always',
      message:
        'Kernel `e` uses `dptr`, but nothing orders it after `allocNode`: the memory may not exist yet. Add `allocNode` to the dependencies of `e`.',
      place: at(file, 48),
      related: [{ role: 'allocated', message: 'by allocNode', place: at(file, 31) }],
      witness: [
        { place: at(file, 48), message: 'e has no dependencies, so it may start first', graph: 0, node: 6 },
        { place: at(file, 31), message: '`dptr` exists only after allocNode', graph: 0, node: 0 },
      ],
    },
  ];
  const list = edges([0, 1], [1, 2], [1, 3], [2, 4], [3, 4], [3, 5]);
  const own = graph(0, 'graph', at(file, 22), nodes, list, { peakLiveBytes: 64 * MiB, footprintBytes: 64 * MiB });
  const base = { lane: 0, waitsFor: [], result: 'cudaSuccess', live: [], findings: [], remapped: 0 };
  return scene(file, {
    entries: ['main', 'buildGraph'],
    graphs: [own],
    allocations: [allocation(0, 'dptr', 64 * MiB, at(file, 31))],
    lanes: [
      { id: 0, name: 'host', kind: 'host' },
      { id: 1, name: 'stream', kind: 'stream' },
    ],
    operations: [
      {
        ...base,
        id: 0,
        op: 'cudaGraphCreate',
        label: 'create graph',
        place: at(file, 22),
        graph: 0,
        ...attributes(0, 0),
      },
      {
        ...base,
        id: 1,
        op: 'cudaGraphInstantiate',
        label: 'instantiate graph',
        place: at(file, 52),
        graph: 0,
        ...attributes(0, 0),
      },
      {
        ...base,
        id: 2,
        op: 'cudaGraphLaunch',
        label: 'launch graph → stream',
        lane: 1,
        place: at(file, 54),
        graph: 0,
        stream: 'stream',
        nth: 1,
        ...attributes(64, 64),
        remapped: 64 * MiB,
        reason: 'first launch: nothing mapped yet',
        findings: [0, 1],
      },
      {
        ...base,
        id: 3,
        op: 'cudaStreamSynchronize',
        label: 'wait for stream',
        place: at(file, 55),
        waitsFor: [2],
        ...attributes(64, 64),
      },
    ],
    blocks: [0, 1].map((id) => ({
      id,
      bytes: 32 * MiB,
      holders: [{ fromStep: 2, toStep: 3, graphs: [0], offsets: [id * 32 * MiB] }],
    })),
    findings,
    peak: { used: 64 * MiB, reserved: 64 * MiB },
  });
}

function attributes(
  used: number,
  reserved: number,
  usedHigh = used,
  reservedHigh = reserved,
): Pick<SceneOperation, 'used' | 'usedHigh' | 'reserved' | 'reservedHigh'> {
  return { used: used * MiB, usedHigh: usedHigh * MiB, reserved: reserved * MiB, reservedHigh: reservedHigh * MiB };
}

/** Two captured graphs over two streams, launched six times; they share blocks, and a change of stream remaps. */
export function forkJoin(): Scene {
  const file = 'src/pipeline/fork_join.cu';
  const [one, two] = ['stream1', 'stream2'];
  const use = (id: number, mode: SceneAccess['mode']): SceneAccess => ({ allocation: id, mode });
  const producer = graph(
    0,
    'producer',
    at(file, 40),
    [
      node(0, 'memAlloc', 'frame', at(file, 42), { bytes: 64 * MiB, allocation: 0, stream: one }),
      node(1, 'kernel', 'decode', at(file, 43), { accesses: [use(0, 'write')], stream: one }),
      node(2, 'memAlloc', 'scratch', at(file, 46), { bytes: 32 * MiB, allocation: 1, stream: two }),
      node(3, 'kernel', 'histogram', at(file, 47), { accesses: [use(0, 'read'), use(1, 'write')], stream: two }),
      node(4, 'kernel', 'denoise', at(file, 49), { accesses: [use(0, 'readwrite')], stream: one }),
      node(5, 'memFree', 'scratch', at(file, 51), { allocation: 1, stream: two }),
      node(6, 'memAlloc', 'tile', at(file, 54), { bytes: 24 * MiB, allocation: 2, stream: one }),
      node(7, 'kernel', 'resample', at(file, 55), { accesses: [use(0, 'read'), use(2, 'write')], stream: one }),
      node(8, 'memcpy', 'copy to output', at(file, 56), { accesses: [use(2, 'read'), use(5, 'write')], stream: one }),
      node(9, 'memFree', 'tile', at(file, 57), { allocation: 2, stream: one }),
      node(10, 'memFree', 'frame', at(file, 58), { allocation: 0, stream: one }),
    ],
    edges([0, 1], [1, 2], [2, 3], [1, 4], [3, 5], [4, 6], [5, 6], [6, 7], [7, 8], [8, 9], [9, 10]),
    { built: 'capture', flags: ['AutoFreeOnLaunch'], peakLiveBytes: 96 * MiB, footprintBytes: 96 * MiB },
  );
  const consumer = graph(
    1,
    'consumer',
    at(file, 66),
    [
      node(0, 'memAlloc', 'weights', at(file, 68), { bytes: 48 * MiB, allocation: 3, stream: one }),
      node(1, 'kernel', 'expand', at(file, 69), { accesses: [use(3, 'write'), use(5, 'read')], stream: one }),
      node(2, 'memAlloc', 'logits', at(file, 70), { bytes: 16 * MiB, allocation: 4, stream: one }),
      node(3, 'kernel', 'infer', at(file, 71), { accesses: [use(3, 'read'), use(4, 'write')], stream: one }),
      node(4, 'host', 'onDone', at(file, 72), { stream: one }),
      node(5, 'memFree', 'weights', at(file, 73), { allocation: 3, stream: one }),
    ],
    edges([0, 1], [1, 2], [2, 3], [3, 4], [4, 5]),
    { built: 'capture', peakLiveBytes: 64 * MiB, footprintBytes: 64 * MiB },
  );
  const base = {
    lane: 0,
    waitsFor: [] as number[],
    result: 'cudaSuccess',
    live: [] as number[],
    findings: [] as number[],
    remapped: 0,
  };
  const launch = { op: 'cudaGraphLaunch' };
  const operations: readonly SceneOperation[] = [
    { ...base, id: 0, op: 'cudaMalloc', label: 'malloc output', place: at(file, 34), ...attributes(0, 0), live: [5] },
    {
      ...base,
      id: 1,
      op: 'cudaGraphInstantiate',
      label: 'instantiate producer',
      place: at(file, 61),
      graph: 0,
      ...attributes(0, 0),
      live: [5],
    },
    {
      ...base,
      id: 2,
      op: 'cudaGraphInstantiate',
      label: 'instantiate consumer',
      place: at(file, 76),
      graph: 1,
      ...attributes(0, 0),
      live: [5],
    },
    {
      ...base,
      ...launch,
      id: 3,
      label: 'launch producer → stream1',
      lane: 1,
      place: at(file, 80),
      graph: 0,
      stream: one,
      nth: 1,
      ...attributes(96, 96),
      remapped: 96 * MiB,
      reason: 'first launch: nothing mapped yet',
      live: [5],
    },
    {
      ...base,
      ...launch,
      id: 4,
      label: 'launch consumer → stream1',
      lane: 1,
      place: at(file, 81),
      graph: 1,
      stream: one,
      nth: 1,
      ...attributes(96, 96),
      remapped: 64 * MiB,
      reason: 'first launch: takes 2 blocks of producer',
      live: [4, 5],
    },
    {
      ...base,
      id: 5,
      op: 'cudaEventRecord',
      label: 'record ready on stream1',
      lane: 1,
      place: at(file, 83),
      ...attributes(96, 96),
      live: [4, 5],
    },
    {
      ...base,
      id: 6,
      op: 'cudaStreamWaitEvent',
      label: 'stream2 waits for ready',
      lane: 2,
      place: at(file, 84),
      waitsFor: [5],
      ...attributes(96, 96),
      live: [4, 5],
    },
    {
      ...base,
      ...launch,
      id: 7,
      label: 'launch producer → stream2',
      lane: 2,
      place: at(file, 85),
      graph: 0,
      stream: two,
      nth: 2,
      ...attributes(160, 160),
      remapped: 64 * MiB,
      reason: 'stream changed: blocks still in use on stream1',
      live: [4, 5],
      findings: [0],
    },
    {
      ...base,
      id: 8,
      op: 'cudaFreeAsync',
      label: 'free logits on stream1',
      lane: 1,
      place: at(file, 87),
      ...attributes(160, 160),
      live: [5],
    },
    {
      ...base,
      ...launch,
      id: 9,
      label: 'launch consumer → stream1',
      lane: 1,
      place: at(file, 88),
      graph: 1,
      stream: one,
      nth: 2,
      ...attributes(160, 160),
      live: [4, 5],
    },
    {
      ...base,
      id: 10,
      op: 'cudaDeviceSynchronize',
      label: 'wait for the device',
      place: at(file, 90),
      waitsFor: [7, 9],
      ...attributes(160, 160),
      live: [4, 5],
    },
    {
      ...base,
      id: 11,
      op: 'cudaDeviceGraphMemTrim',
      label: 'trim graph memory',
      place: at(file, 91),
      ...attributes(32, 32, 160, 160),
      live: [4, 5],
    },
  ];
  return scene(file, {
    entry: 'runPipeline',
    entries: ['runPipeline', 'main', 'benchmarkPipelineWithWarmup'],
    graphs: [producer, consumer],
    allocations: [
      allocation(0, 'frame', 64 * MiB, at(file, 42)),
      allocation(1, 'scratch', 32 * MiB, at(file, 46), { offset: 64 * MiB }),
      allocation(2, 'tile', 24 * MiB, at(file, 54), { offset: 64 * MiB }),
      allocation(3, 'weights', 48 * MiB, at(file, 68), { graph: 1 }),
      allocation(4, 'logits', 16 * MiB, at(file, 70), { graph: 1, offset: 48 * MiB }),
      allocation(5, 'output', 24 * MiB, at(file, 34), { origin: 'device', graph: undefined, offset: null }),
    ],
    lanes: [
      { id: 0, name: 'host', kind: 'host' },
      { id: 1, name: one, kind: 'stream' },
      { id: 2, name: two, kind: 'stream' },
    ],
    operations,
    blocks: [
      {
        id: 0,
        bytes: 32 * MiB,
        holders: [
          { fromStep: 3, toStep: 3, graphs: [0], offsets: [64 * MiB] },
          { fromStep: 4, toStep: 6, graphs: [0, 1], offsets: [64 * MiB, 32 * MiB] },
          { fromStep: 7, toStep: 11, graphs: [1], offsets: [32 * MiB] },
        ],
      },
      {
        id: 1,
        bytes: 32 * MiB,
        holders: [
          { fromStep: 3, toStep: 3, graphs: [0], offsets: [32 * MiB] },
          { fromStep: 4, toStep: 6, graphs: [0, 1], offsets: [32 * MiB, 0] },
          { fromStep: 7, toStep: 10, graphs: [1], offsets: [0] },
        ],
      },
      { id: 2, bytes: 32 * MiB, holders: [{ fromStep: 3, toStep: 10, graphs: [0], offsets: [0] }] },
      { id: 3, bytes: 32 * MiB, holders: [{ fromStep: 7, toStep: 10, graphs: [0], offsets: [32 * MiB] }] },
      {
        id: 4,
        bytes: 32 * MiB,
        holders: [
          { fromStep: 7, toStep: 9, graphs: [0], offsets: [64 * MiB] },
          { fromStep: 10, toStep: 10, graphs: [], offsets: [] },
        ],
      },
    ],
    findings: [
      {
        rule: 'launch-stream-change',
        severity: 'hint',
        certainty: 'always',
        message:
          'producer was launched on stream1 before: on stream2 its shared blocks must be mapped anew, which costs about 25 µs a block. Launch it on stream1, or upload it to stream2 beforehand.',
        place: at(file, 85),
        related: [{ role: 'launched', message: 'on stream1', place: at(file, 80) }],
        witness: [
          { place: at(file, 80), message: 'first launch on stream1 maps 3 blocks' },
          { place: at(file, 81), message: 'consumer takes two of them' },
          { place: at(file, 85), message: 'on stream2 those two are still in use: 64 MiB are mapped anew' },
        ],
      },
    ],
    gaps: [
      { kind: 'unknown-callee', name: 'nvtxRangePushA', place: at(file, 41) },
      { kind: 'unknown-callee', name: 'allocatorFor', place: at(file, 33) },
      { kind: 'loop-bound', name: 'for (;;)', place: at(file, 79) },
    ],
    peak: { used: 160 * MiB, reserved: 160 * MiB },
  });
}

/** The fork and join, with its two graphs launched in turn until there are that many operations. */
export function longRun(operations: number): Scene {
  const short = forkJoin();
  const pattern = short.operations.slice(3, 10);
  const more = Array.from({ length: operations - 3 }, (_, index) => {
    const like = pattern[index % pattern.length]!;
    return { ...like, id: index + 3, waitsFor: like.waitsFor.map(() => index + 2) };
  });
  const blocks = short.blocks.map((block) => ({
    ...block,
    holders: block.holders.map((holder) => ({ ...holder, toStep: holder.toStep > 9 ? operations - 1 : holder.toStep })),
  }));
  return { ...short, operations: [...short.operations.slice(0, 3), ...more], blocks };
}

/** A child graph, a "may" node, unknown sizes, every kind of node, a refused launch. */
export function everythingUnusual(): Scene {
  const file = 'test/unusual.cu';
  const child = graph(
    1,
    'inner',
    at(file, 12),
    [
      node(0, 'memset', 'clear', at(file, 13), { accesses: [{ allocation: 1, mode: 'write' }] }),
      node(1, 'kernel', 'blur', at(file, 14), { accesses: [{ allocation: 1, mode: 'readwrite' }] }),
      node(2, 'kernel', 'sharpenWithAVeryLongKernelNameIndeed<float, 256>', at(file, 15), {
        accesses: [{ allocation: 1, mode: 'read' }],
      }),
    ],
    edges([0, 1], [0, 2]),
  );
  const outer = graph(
    0,
    'outer',
    at(file, 20),
    [
      node(0, 'memAlloc', 'work', at(file, 21), { bytes: null, allocation: 0 }),
      node(1, 'memAlloc', 'small', at(file, 22), { bytes: 4096, allocation: 1 }),
      node(2, 'child', 'inner graph', at(file, 23), {
        childGraph: 1,
        accesses: [{ allocation: 1, mode: 'readwrite' }],
      }),
      node(3, 'kernel', 'optionalPass', at(file, 25), {
        certainty: 'sometimes',
        accesses: [
          { allocation: 0, mode: 'unknown' },
          { allocation: 1, mode: 'read' },
        ],
      }),
      node(4, 'host', 'callback', at(file, 27)),
      node(5, 'conditional', 'while (residual > eps)', at(file, 28)),
      node(6, 'eventRecord', 'done', at(file, 29)),
      node(7, 'eventWait', 'ready', at(file, 30)),
      node(8, 'semaphoreSignal', 'signal', at(file, 31)),
      node(9, 'semaphoreWait', 'acquire', at(file, 32)),
      node(10, 'batchMemOp', 'flags', at(file, 33)),
      node(11, 'empty', 'join', at(file, 34)),
      node(12, 'unknown', 'addCustomNode(…)', at(file, 35)),
      node(13, 'memFree', 'free small', at(file, 36), { allocation: 1, findings: [0] }),
      node(14, 'memcpy', 'download', at(file, 37), {
        accesses: [
          { allocation: 0, mode: 'read' },
          { allocation: 1, mode: 'read' },
          { allocation: 2, mode: 'write' },
          { allocation: 3, mode: 'write' },
        ],
        findings: [1],
      }),
    ],
    [
      ...edges(
        [0, 3],
        [1, 2],
        [7, 9],
        [9, 0],
        [4, 5],
        [5, 6],
        [6, 8],
        [8, 11],
        [10, 11],
        [11, 13],
        [11, 14],
        [12, 11],
        [2, 4],
      ),
      { from: 3, to: 4, certainty: 'sometimes' },
    ],
    { instantiated: false, result: 'cudaErrorNotSupported' },
  );
  const base = { lane: 0, waitsFor: [], live: [], findings: [], remapped: 0, ...attributes(0, 0) };
  return scene(file, {
    entry: 'runUnusual',
    entries: ['runUnusual'],
    driver: { name: '12.4', estimate: true },
    graphs: [outer, child],
    allocations: [
      allocation(0, 'work', null, at(file, 21), { offset: null }),
      allocation(1, 'small', 4096, at(file, 22)),
      allocation(2, 'hostBuffer', 4096, at(file, 5), { origin: 'host', graph: undefined, offset: null }),
      allocation(3, 'stats', 512, at(file, 6), { origin: 'device', graph: undefined, offset: null }),
    ],
    lanes: [{ id: 0, name: 'host', kind: 'host' }],
    operations: [
      {
        ...base,
        id: 0,
        op: 'cudaGraphInstantiate',
        label: 'instantiate outer',
        place: at(file, 40),
        graph: 0,
        result: 'cudaErrorNotSupported',
      },
      {
        ...base,
        id: 1,
        op: 'cudaGraphLaunch',
        label: 'launch outer → 0',
        place: at(file, 41),
        graph: 0,
        result: 'cudaErrorInvalidValue',
        findings: [0],
      },
    ],
    findings: [
      {
        rule: 'graph-use-free-race',
        severity: 'warning',
        certainty: 'sometimes',
        message: '`small` may be freed while `download` still reads it.',
        place: at(file, 36),
        related: [],
        witness: [
          { place: at(file, 37), message: 'download reads `small`', graph: 0, node: 14 },
          { place: at(file, 36), message: 'free small is not ordered after it', graph: 0, node: 13 },
        ],
      },
      {
        rule: 'stale-host-copy',
        severity: 'info',
        certainty: 'always',
        message: 'The copy reads `work`, which no node is certain to have written.',
        place: at(file, 37),
        related: [],
        witness: [],
      },
    ],
    gaps: [{ kind: 'unknown-callee', name: 'addCustomNode', place: at(file, 35) }],
    symbols: [
      { name: 'n', value: null, place: at(file, 3) },
      { name: 'batchSize', value: 1_048_576, place: at(file, 4) },
    ],
  });
}

/** Names that would do harm if anything took them for markup. */
export function hostile(): Scene {
  const file = '"><img src=x onerror="window.broken=1">.cu';
  const bad = `<img src=x onerror="window.broken=1"><script src="x"></script></script><b>`;
  const nodes = [
    node(0, 'memAlloc', bad, at(file, 1), { bytes: 512, allocation: 0, findings: [0] }),
    node(1, 'kernel', bad, at(file, 2), { accesses: [{ allocation: 0, mode: 'read' }], stream: bad }),
  ];
  return scene(file, {
    entry: bad,
    entries: [bad],
    graphs: [graph(0, bad, at(file, 1), nodes, edges([0, 1]))],
    allocations: [allocation(0, bad, 512, at(file, 1))],
    lanes: [{ id: 0, name: bad, kind: 'host' }],
    operations: [
      {
        id: 0,
        op: bad,
        label: bad,
        lane: 0,
        place: at(file, 3),
        waitsFor: [],
        result: bad,
        live: [0],
        findings: [0],
        remapped: 1,
        reason: bad,
        ...attributes(1, 1),
      },
    ],
    findings: [
      {
        rule: bad,
        severity: 'error',
        certainty: 'always',
        message: bad,
        place: at(file, 1),
        related: [{ role: bad, message: bad, place: at(file, 1) }],
        witness: [{ place: at(file, 1), message: bad, graph: 0, node: 0 }],
      },
    ],
    gaps: [{ kind: bad, name: bad, place: at(file, 1) }],
    symbols: [{ name: bad, value: null, place: at(file, 1) }],
  });
}

export function emptyScene(): Scene {
  return scene('src/plain.cu', { entry: 'main' });
}

/** A random but repeatable graph of `size` nodes with kernels, copies and `size / 12` allocations. */
export function generated(size: number): Scene {
  const file = `generated_${size}.cu`;
  let seed = 7;
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * limit);
  };
  const nodes: SceneNode[] = [];
  const list: SceneEdge[] = [];
  const allocations: SceneAllocation[] = [];
  for (let id = 0; id < size; id++) {
    const open = allocations.length;
    if (id % 24 === 0) {
      allocations.push(
        allocation(open, `buffer${open}`, (1 + random(40)) * MiB, at(file, id + 10), { offset: open * 48 * MiB }),
      );
      nodes.push(node(id, 'memAlloc', `buffer${open}`, at(file, id + 10), { bytes: 32 * MiB, allocation: open }));
    } else if (id % 24 === 23) {
      nodes.push(node(id, 'memFree', `buffer${open - 1}`, at(file, id + 10), { allocation: open - 1 }));
    } else {
      const kind: NodeKind = id % 7 === 3 ? 'memcpy' : id % 11 === 5 ? 'host' : 'kernel';
      nodes.push(
        node(id, kind, `stage${id}`, at(file, id + 10), { accesses: [{ allocation: open - 1, mode: 'readwrite' }] }),
      );
    }
    if (id > 0) list.push({ from: Math.max(0, id - 1 - random(6)), to: id, certainty: 'always' });
    if (id > 8 && random(3) === 0)
      list.push({ from: id - 2 - random(6), to: id, certainty: random(9) === 0 ? 'sometimes' : 'always' });
  }
  return scene(file, {
    graphs: [graph(0, 'generated', at(file, 1), nodes, list)],
    allocations,
  });
}
