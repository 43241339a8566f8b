/**
 * `npm run bench`: how long the phases take, and in what ratio.
 *
 * Prints medians over several runs on this machine; nothing is asserted. Figures are lines of code per second and
 * ratios between phases, because absolute times differ from machine to machine.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = path.join(root, 'out', 'bench', 'engine.mjs');
await build({
  stdin: {
    contents: `export * from './src/pipeline.ts'; export { preprocess } from './src/syntax/cuda/preprocess.ts'; export { parseTree } from './src/syntax/syntax-tree.ts'; export { parseCuda } from './src/syntax/cuda/parse.ts'; export { createDriver, step } from './src/driver/driver.ts'; export { replay } from './src/cli/replay.ts';`,
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
  external: ['web-tree-sitter'],
  logLevel: 'warning',
});
const { createEngine, parseCuda, createDriver, replay, step } = await import(pathToFileURL(outfile).href);
const require = createRequire(import.meta.url);
const wasm = {
  'web-tree-sitter.wasm': require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
  'tree-sitter-cuda.wasm': path.join(root, 'node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'),
  'tree-sitter-typescript.wasm': path.join(root, 'node_modules/tree-sitter-typescript/tree-sitter-typescript.wasm'),
};
const engine = await createEngine(async (name) => readFileSync(wasm[name]));
const { Parser, Language } = await import('web-tree-sitter');
const parser = new Parser();
parser.setLanguage(await Language.load(wasm['tree-sitter-cuda.wasm']));

const time = (work) => {
  const started = performance.now();
  work();
  return performance.now() - started;
};
const sorted = (runs, work) => Array.from({ length: runs }, () => time(work)).sort((a, b) => a - b);
const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const lines = (text) => text.split('\n').length;
const show = (name, milliseconds, count) => {
  console.log(
    `${name.padEnd(46)} ${milliseconds.toFixed(2).padStart(9)} ms ${Math.round(count / (milliseconds / 1000))
      .toLocaleString('en')
      .padStart(12)} lines/s`,
  );
};

/** A program of about `target` lines: many functions that each build a graph, one `main` that calls them all. */
function generate(target) {
  const out = [
    '#include <cuda_runtime.h>',
    '#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) return; } while (0)',
    '__global__ void work(float *data, int n) { int i = threadIdx.x; if (i < n) data[i] += 1.0f; }',
    '',
  ];
  const names = [];
  while (out.length < target - 30) {
    const name = `build${names.length}`;
    names.push(name);
    out.push(
      `void ${name}(cudaStream_t stream) {`,
      '  cudaGraph_t graph;',
      '  cudaGraphExec_t exec;',
      '  cudaGraphNode_t alloc, first, second, release;',
      '  CHECK(cudaGraphCreate(&graph, 0));',
      '  cudaMemAllocNodeParams params = {};',
      '  params.bytesize = 1 << 20;',
      '  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));',
      '  int n = 256;',
      '  void *arguments[] = {&params.dptr, &n};',
      '  cudaKernelNodeParams kernel = {};',
      '  kernel.func = (void *)work;',
      '  kernel.kernelParams = arguments;',
      '  CHECK(cudaGraphAddKernelNode(&first, graph, &alloc, 1, &kernel));',
      '  CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));',
      '  CHECK(cudaGraphAddMemFreeNode(&release, graph, &second, 1, params.dptr));',
      '  CHECK(cudaGraphInstantiate(&exec, graph, 0));',
      '  CHECK(cudaGraphLaunch(exec, stream));',
      '  CHECK(cudaStreamSynchronize(stream));',
      '  CHECK(cudaGraphExecDestroy(exec));',
      '  CHECK(cudaGraphDestroy(graph));',
      '}',
      '',
    );
  }
  out.push(
    'int main() {',
    '  cudaStream_t stream;',
    '  cudaStreamCreate(&stream);',
    ...names.map((name) => `  ${name}(stream);`),
    '  return 0;',
    '}',
    '',
  );
  return out.join('\n');
}

console.log('Programs with the driver’s verdict (test/programs)');
const folder = path.join(root, 'test', 'programs');
const programs = readdirSync(folder)
  .filter((name) => name.endsWith('.cu'))
  .map((name) => ({ file: name, text: readFileSync(path.join(folder, name), 'utf8') }));
const total = programs.reduce((sum, program) => sum + lines(program.text), 0);
for (const program of programs.slice(0, 40)) engine.analyse({ ...program, language: 'cuda' });
const parseAll = at(
  sorted(3, () => {
    for (const program of programs) parseCuda(parser, program.file, program.text);
  }),
  0.5,
);
const analyseAll = at(
  sorted(3, () => {
    for (const program of programs) engine.analyse({ ...program, language: 'cuda' });
  }),
  0.5,
);
show(`  parse and lower, ${programs.length} programs`, parseAll, total);
show('  full analysis', analyseAll, total);
console.log(`  analysis : parse = ${(analyseAll / parseAll).toFixed(1)} : 1`);

for (const size of [500, 5000]) {
  const text = generate(size);
  console.log(`A generated file of ${lines(text)} lines`);
  const input = { file: 'bench.cu', text, language: 'cuda' };
  const parse = sorted(15, () => parseCuda(parser, 'bench.cu', text));
  const full = sorted(15, () => engine.analyse(input));
  const keys = sorted(40, () =>
    engine.analyse({ ...input, text: `${text.slice(0, text.length - 20)} ${text.slice(text.length - 20)}` }),
  );
  show('  parse and lower (median)', at(parse, 0.5), lines(text));
  show('  full analysis (median)', at(full, 0.5), lines(text));
  show('  analysis after one keystroke (median)', at(keys, 0.5), lines(text));
  show('  analysis after one keystroke (p99)', at(keys, 0.99), lines(text));
  console.log(`  analysis : parse = ${(at(full, 0.5) / at(parse, 0.5)).toFixed(1)} : 1`);
}

console.log('Simulated driver');
const shapes = {
  'a chain': (index) => (index === 0 ? [] : [index - 1]),
  'separate roots': () => [],
  'a braid of 4': (index) => (index < 4 ? [] : [index - 4]),
  'layers of 100': (index) => {
    const layer = Math.floor(index / 100) * 100;
    return layer === 0 ? [] : Array.from({ length: 100 }, (_, each) => layer - 100 + each);
  },
};
for (const [shape, dependenciesOf] of Object.entries(shapes)) {
  // Built before the clock starts: the caller has the nodes and their lists of dependencies, the driver places them.
  const operations = Array.from({ length: 20_000 }, (_, index) => {
    const isFree = index % 2 === 1;
    const node = isFree
      ? { kind: 'free', allocation: index - 1 }
      : { kind: 'alloc', allocation: index, bytes: 4096 + (index % 97) * 512 };
    return { kind: 'addNode', graph: 0, node, dependencies: isFree ? [index - 1] : dependenciesOf(index) };
  });
  const place = () => {
    const driver = createDriver();
    step(driver, { kind: 'graphCreate', graph: 0 });
    for (const operation of operations) step(driver, operation);
  };
  console.log(`  10,000 allocation nodes, ${shape.padEnd(16)} ${at(sorted(3, place), 0.5).toFixed(1).padStart(10)} ms`);
}
const launches = 1_000_000;
const replayed = time(() => {
  const driver = createDriver();
  step(driver, { kind: 'graphCreate', graph: 0 });
  step(driver, { kind: 'addNode', graph: 0, node: { kind: 'alloc', allocation: 0, bytes: 1 << 20 }, dependencies: [] });
  step(driver, { kind: 'addNode', graph: 0, node: { kind: 'free', allocation: 0 }, dependencies: [0] });
  step(driver, { kind: 'instantiate', exec: 0, graph: 0 });
  for (let index = 0; index < launches / 2; index++) {
    step(driver, { kind: 'launch', exec: 0, stream: index & 1 });
    step(driver, { kind: 'syncDevice' });
  }
});
console.log(`  1,000,000 operations replayed${(replayed / 1000).toFixed(2).padStart(26)} s`);
const recording = path.join(root, 'test', 'recordings', 'launch.jsonl.gz');
let said = '';
const started = performance.now();
await replay([recording], {
  stdout: (text) => (said += text),
  stderr: () => {},
  readFile: async (file) => readFileSync(file),
});
console.log(
  `  recorded launch cases replayed${((performance.now() - started) / 1000).toFixed(2).padStart(24)} s${/exact: [^\n]*/.exec(said)?.[0].replace('exact:', '  exact') ?? ''}`,
);
