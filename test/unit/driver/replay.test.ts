/** `graphmem replay` and `graphmem record` as a user meets them. */

import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { record } from '../../../src/cli/record.ts';
import { replay } from '../../../src/cli/replay.ts';
import { testEngine } from '../../support/engine.ts';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function run(arguments_: string[], files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Run> {
  let out = '';
  let error = '';
  const code = await replay(arguments_, {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      error += text;
    },
    loadEngine: testEngine,
    readFile: async (path) => {
      const content = files[path];
      if (content !== undefined) return typeof content === 'string' ? new TextEncoder().encode(content) : content;
      return readFile(new URL(`../../recordings/${path}`, import.meta.url));
    },
  });
  return { code, out, error };
}

const HEADER = '{"device":"NVIDIA H200","driver":13000}';
const TWO_NODES = {
  case: 'va-1',
  ops: [
    { op: 'alloc', node: 0, alloc: 0, bytes: 1000, deps: [] },
    { op: 'alloc', node: 1, alloc: 1, bytes: 1000, deps: [0] },
    { op: 'free', node: 2, alloc: 0, deps: [1] },
  ],
};

/** Another shape than the recordings': a macro that registers in a table of structures, a recorder that only prints. */
const OWN_PROGRAM = `
#include <cuda_runtime.h>
#define JOIN(a, b) a##b
#define SCENARIO(name) static void JOIN(run_, name)(void); static int JOIN(at_, name) = add(#name, JOIN(run_, name)); static void JOIN(run_, name)(void)
struct Scenario { const char *name; void (*run)(void); };
static Scenario table[8];
static int used = 0;
static int add(const char *name, void (*run)(void)) { table[used].name = name; table[used].run = run; return used++; }
static cudaError_t step(const char *what, cudaError_t result) { printf("%s %d", what, result); return result; }
SCENARIO(twice) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 4096;
  cudaGraphNode_t node, freeing, other;
  step("add", cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  step("free", cudaGraphAddMemFreeNode(&freeing, graph, &node, 1, params.dptr));
  if (step("again", cudaGraphAddMemFreeNode(&other, graph, &freeing, 1, params.dptr)) != cudaSuccess)
    step("handled", cudaSuccess);
}
int main(int argc, char **argv) {
  for (int i = 0; i < used; i++)
    if (strcmp(argv[1], table[i].name) == 0) table[i].run();
}
`;

describe('graphmem replay', () => {
  it('says how many cases are exact, and where the first differences are', async () => {
    const { code, out } = await run(['launch.jsonl.gz']);
    expect(code).toBe(0);
    expect(out).toMatch(/^launch\.jsonl\.gz: 1591 cases, driver 13\.0\n {2}exact: \d+ of 1591 \(9\d\.\d\d %\)/);
    expect(out).toMatch(/launch-\d+: \d+ differences?\n {4}log \d+ launch graph \d stream \d: memory/);
  });

  it('says which addresses depend on the host order', async () => {
    const { out } = await run(['va-up.jsonl.gz', '--host-order', 'up']);
    expect(out).toContain('exact: 1500 of 1500 (100.00 %)');
    expect(out).toContain('863 addresses in 217 cases depend on the host order (another one with --host-order down)');
  });

  it('predicts cases without answers, under the keys of a recording', async () => {
    const { code, out } = await run(['a.jsonl', '--format=jsonl'], {
      'a.jsonl': `${HEADER}\n${JSON.stringify(TWO_NODES)}\n`,
    });
    const [header, line] = out.trim().split('\n');
    const predicted = JSON.parse(line ?? '');
    expect([code, header]).toEqual([0, HEADER]);
    expect(predicted.ops.map((op: { va?: string }) => op.va)).toEqual(['0', '400', undefined]);
    expect(Object.keys(predicted.run)).toEqual([
      'start',
      'instantiate',
      'launch',
      'sync',
      'freed',
      'destroyExec',
      'destroyGraph',
      'trim',
    ]);
    const block = 32 << 20;
    expect(predicted.run.launch).toEqual({ rc: 'ok', mem: [block, block, block, block] });
  });

  it('reads gzip by its content, whatever the name', async () => {
    const { code, out } = await run(['b'], { b: gzipSync(JSON.stringify(TWO_NODES)) });
    expect([code, out]).toEqual([
      0,
      'b: 1 case, driver 13.0\n  no answers recorded: predicted only, see --format jsonl\n',
    ]);
  });

  it('names the line it cannot read, and goes on', async () => {
    const lines = ['{"case":"x"', '[]', '{"case":"y","log":[{"op":"dance"}]}', JSON.stringify(TWO_NODES)];
    const { code, out, error } = await run(['c.jsonl'], { 'c.jsonl': lines.join('\n') });
    expect(code).toBe(1);
    expect(error).toMatch(/^c\.jsonl:1: .*\nc\.jsonl:2: not a JSON object\nc\.jsonl:3: unknown operation `dance`\n$/);
    expect(out).toContain('c.jsonl: 1 case');
    expect(out).toContain('3 lines could not be replayed');
  });

  it.each([
    [['--format', 'xml', 'a'], 'cannot understand --format xml'],
    [['--host-order', 'sideways', 'a'], 'cannot understand --host-order sideways'],
    [[], 'no recording given'],
    [['missing.jsonl'], 'cannot read missing.jsonl'],
  ])('refuses %j', async (arguments_, message) => {
    const { code, error } = await run(arguments_);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it('refuses a broken archive with a message', async () => {
    const { code, error } = await run(['broken.gz'], { 'broken.gz': gzipSync('{}').subarray(0, 12) });
    expect(code).toBe(2);
    expect(error).toContain('cannot read broken.gz');
  });

  it('replays graphs that are not chains, with children and frees of other graphs', async () => {
    const graphs = [
      { graph: 0, nodes: [{ op: 'alloc', alloc: 0, bytes: 1 << 20, deps: [] }] },
      {
        graph: 1,
        nodes: [
          { op: 'alloc', alloc: 0, bytes: 1 << 20, deps: [] },
          { op: 'free', alloc: 0, deps: [0] },
        ],
      },
      {
        graph: 2,
        nodes: [
          { op: 'child', graph: 1, deps: [] },
          { op: 'work', deps: [] },
          { op: 'free', owner: 0, alloc: 0, deps: [0, 1] },
        ],
      },
    ];
    const log = [
      { op: 'instantiate', graph: 0, autoFree: false },
      { op: 'instantiate', graph: 2, autoFree: false },
      { op: 'launch', graph: 2, stream: 0 },
      { op: 'launch', graph: 0, stream: 0 },
      { op: 'launch', graph: 2, stream: 0 },
    ];
    const text = JSON.stringify({ case: 'program', workMicroseconds: 5, graphs, frees: [], log });
    const { out } = await run(['d.jsonl', '--format', 'jsonl'], { 'd.jsonl': text });
    const results = JSON.parse(out).log.map((entry: { rc: string }) => entry.rc);
    expect(results).toEqual(['ok', 'ok', 'cudaErrorInvalidValue', 'ok', 'ok']);
  });
});

describe('recorded programs', () => {
  it.each([
    ['misuse.jsonl', 121],
    ['peer.jsonl', 18],
  ])('every step of every case in %s is predicted', async (name, cases) => {
    const { code, out } = await run([name]);
    expect([code, out]).toEqual([
      0,
      `${name}: ${cases} cases, driver 13.0\n  exact: ${cases} of ${cases} (100.00 %)\n`,
    ]);
  });

  it('are predicted without a look at what was recorded', async () => {
    const text = (await readFile(new URL('../../recordings/peer.jsonl', import.meta.url))).toString();
    const recorded = text.trim().split('\n');
    const without = recorded.map((line) => JSON.stringify({ case: JSON.parse(line).case }));
    const { out } = await run(['names.jsonl', '--format', 'jsonl', '--source', 'peer.cu'], {
      'names.jsonl': without.join('\n'),
    });
    expect(out.trim().split('\n')).toEqual(recorded);
  });

  it('follow what was predicted, and say where it differs', async () => {
    const { code, out } = await run(['own.jsonl'], {
      'own.cu': OWN_PROGRAM,
      'own.jsonl': '{"case":"twice","steps":[["add","ok"],["free","ok"],["again","ok"],["handled","ok"]]}',
    });
    expect([code, out]).toEqual([
      0,
      [
        'own.jsonl: 1 case, driver 13.0',
        '  exact: 0 of 1 (0.00 %)',
        '  twice: 1 difference',
        '    step 3 again: result cudaErrorInvalidValue, recorded ok',
        '',
      ].join('\n'),
    ]);
  });

  it('need their program, and the case in it', async () => {
    const files = { 'lost.jsonl': '{"case":"a","steps":[["b","ok"]]}', 'own.cu': OWN_PROGRAM };
    const lost = await run(['lost.jsonl'], files);
    expect(lost.code).toBe(1);
    expect(lost.error).toContain('there is no lost.cu beside it: name the program with --source FILE');
    const other = await run(['lost.jsonl', '--source', 'own.cu'], files);
    expect(other.error).toContain('the program records no step in a case `a`');
  });
});

describe('graphmem record', () => {
  it('tells how to build and use the recorder that ships', async () => {
    let out = '';
    const io = {
      stdout: (text: string) => {
        out += text;
      },
      stderr: () => undefined,
    };
    expect(await record([], io)).toBe(0);
    expect(out).toContain('recorder/graphmem-recorder.cpp');
    expect(out).toContain('LD_PRELOAD=');
    expect(await record(['--nonsense'], io)).toBe(2);
    await expect(readFile(new URL('../../../recorder/graphmem-recorder.cpp', import.meta.url))).resolves.toBeTruthy();
  });
});
