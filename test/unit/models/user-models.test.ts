import { describe, expect, it } from 'vitest';
import { parseModelFile } from '../../../src/models/user-models.ts';
import { testEngine } from '../../support/engine.ts';

describe('model files with mistakes', () => {
  it.each([
    ['not JSON', '{ "rows": [', /^m\.json: .+/],
    ['a list', '[]', /m\.json: expected an object with "rows"/],
    ['no rows', '{}', /m\.json: "rows" must be a list/],
    ['a row that is no object', '{ "rows": [3] }', /m\.json: rows\[0\]: expected an object/],
    ['no name', '{ "rows": [{ "effects": [] }] }', /rows\[0\]: "name"/],
    ['an empty name', '{ "rows": [{ "name": "" }] }', /rows\[0\]: "name"/],
    ['an unknown field', '{ "rows": [{ "name": "f", "effcts": [] }] }', /rows\[0\]: no such field: "effcts"/],
    ['effects that are no list', '{ "rows": [{ "name": "f", "effects": {} }] }', /rows\[0\]: "effects" must be a list/],
    [
      'an effect without a verb',
      '{ "rows": [{ "name": "f" }, { "name": "g", "effects": [{}] }] }',
      /rows\[1\]: effects\[0\]: "verb"/,
    ],
    [
      'a verb that is none',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "graph.make" }] }] }',
      /rows\[0\]: effects\[0\]: no such verb: "graph.make"; there is graph.clone, graph.create, /,
    ],
    [
      'a field that no effect has',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "memory.freeAsync", "pointer": "arg0", "strem": "arg1" }] }] }',
      /effects\[0\]: no such field: "strem"/,
    ],
    [
      'a mistake in a case',
      '{ "rows": [{ "name": "f", "select": { "path": "arg0", "cases": { "1": [{ "verb": "node.ad" }] } } }] }',
      /1\[0\]: no such verb: "node.ad"/,
    ],
    [
      'a choice without cases',
      '{ "rows": [{ "name": "f", "select": {} }] }',
      /"select" must have a "path" and "cases"/,
    ],
    ['a field of the file that is none', '{ "rows": [], "pures": [] }', /m\.json: no such field: "pures"/],
    [
      'a field that is missing',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "memory.freeAsync", "pointer": "arg0" }] }] }',
      /"memory\.freeAsync" needs "stream"/,
    ],
    [
      'JSON that breaks off in a line',
      '{\n "rows": [\n  {"name": "f", }\n]}',
      /^m\.json: line 3, column 17: no JSON: /,
    ],
    [
      'a path that is none',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "memory.free", "pointer": "arg" }] }] }',
      /effects\[0\]: "pointer" must be a path \(argN, .*\); it is "arg"/,
    ],
    [
      'a stream that is no path',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "stream.destroy", "stream": "default" }] }] }',
      /"stream" must be a path \(.*\), or legacy; it is "default"/,
    ],
    [
      'a list with what is no path',
      '{ "rows": [{ "name": "f", "effects": [{ "verb": "memory.allocate", "pointer": "return", "origin": "host", "bytes": ["n"] }] }] }',
      /"bytes" must be a list of paths and numbers \(.*\); it is \["n"\]/,
    ],
    [
      'a path of a choice that is none',
      '{ "rows": [{ "name": "f", "select": { "path": "x", "cases": {} } }] }',
      /it is "x"/,
    ],
    ['fewer arguments than none', '{ "rows": [{ "name": "f", "arity": -1 }] }', /"arity" must be a number/],
    ['less at most than at least', '{ "rows": [{ "name": "f", "arity": [3, 1] }] }', /"arity" must be a number/],
    [
      'a result that is none',
      '{ "rows": [{ "name": "f", "returns": "pointer" }] }',
      /"returns" must be .*; it is "pointer"/,
    ],
    [
      'a mark that is none',
      '{ "rows": [{ "name": "f", "unsafeInCapture": 1 }] }',
      /"unsafeInCapture" must be true or false/,
    ],
    ['pure functions that are no names', '{ "rows": [], "pure": [1] }', /"pure" must be a list of names/],
  ])('%s', (_, text, message) => {
    const result = parseModelFile('m.json', text);
    expect(result.kind).toBe('error');
    if (result.kind === 'error') expect(result.message).toMatch(message);
  });
});

describe('model files', () => {
  const model = JSON.stringify({
    rows: [
      {
        name: 'takeMemory',
        effects: [{ verb: 'memory.allocateAsync', pointer: 'return', bytes: ['arg0'], stream: 'arg1' }],
      },
      { name: 'giveMemory', effects: [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }] },
    ],
  });
  const text = `#include <cuda_runtime.h>
void *takeMemory(size_t bytes, cudaStream_t stream);
void giveMemory(void *memory, cudaStream_t stream);
__global__ void use(float *data) { data[0] = 1.0f; }
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float *data = (float *)takeMemory(4096, stream);
  giveMemory(data, stream);
  use<<<1, 1, 0, stream>>>(data);
}
`;

  it('make a library’s functions known', async () => {
    const engine = await testEngine();
    const input = { file: 'a.cu', text, language: 'cuda' as const };
    expect(engine.analyse(input).findings.map((finding) => finding.rule)).toEqual([]);
    const known = engine.analyse({ ...input, models: [{ file: 'm.json', text: model }] });
    expect(known.findings.map((finding) => finding.rule)).toEqual(['async-use-after-free']);
    expect(known.gaps).toEqual([]);
  });

  it('multiply sizes by numbers', async () => {
    const engine = await testEngine();
    const program = `#include <cuda_runtime.h>
float *takeFloats(size_t count);
int main() {
  float *data = takeFloats(256);
  cudaMemset(data, 0, BYTES);
}
`;
    const effects = [{ verb: 'memory.allocate', pointer: 'return', origin: 'device', bytes: ['arg0', 4] }];
    const models = [{ file: 'm.json', text: JSON.stringify({ rows: [{ name: 'takeFloats', effects }] }) }];
    const rules = ['1024', '1025'].map((bytes) =>
      engine
        .analyse({ file: 'a.cu', text: program.replace('BYTES', bytes), language: 'cuda', models })
        .findings.filter(({ severity }) => severity === 'error')
        .map(({ rule }) => rule),
    );
    expect(rules).toEqual([[], ['copy-out-of-range']]);
  });

  it('say what a call does by a number that it is given', async () => {
    const engine = await testEngine();
    const program = `#include <cuda_runtime.h>
void drop(int how, float *data, cudaStream_t stream);
__global__ void use(float *data) { data[0] = 1.0f; }
int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float *data;
  cudaMallocAsync(&data, 64, stream);
  drop(HOW, data, stream);
  use<<<1, 1, 0, stream>>>(data);
  cudaStreamSynchronize(stream);
}
`;
    const cases = { 0: [], 1: [{ verb: 'memory.freeAsync', pointer: 'arg1', stream: 'arg2' }] };
    const text = JSON.stringify({ rows: [{ name: 'drop', select: { path: 'arg0', cases } }] });
    const rules = ['0', '1'].map((how) => {
      const input = { file: 'a.cu', text: program.replace('HOW', how), language: 'cuda' as const };
      const { findings, gaps } = engine.analyse({ ...input, models: [{ file: 'm.json', text }] });
      return [gaps.length, ...findings.map(({ rule }) => rule)];
    });
    expect(rules).toEqual([
      [0, 'async-leak'],
      [0, 'async-use-after-free'],
    ]);
  });

  it('that are wrong become a gap, not a failure', async () => {
    const engine = await testEngine();
    const analysis = engine.analyse({ file: 'a.cu', text, language: 'cuda', models: [{ file: 'm.json', text: '{' }] });
    expect(analysis.gaps.some((gap) => gap.kind === 'model' && gap.name.startsWith('m.json: '))).toBe(true);
  });
});
