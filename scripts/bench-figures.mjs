/**
 * What `npm run bench` measures, in a thread of its own (`bench.mjs` starts it and gives it the path of the built engine).
 *
 * Prints medians over several runs on this machine; nothing is asserted. Figures are lines of code per second and
 * ratios between phases, because absolute times differ from machine to machine.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { checkTree } from './bench-command-line.mjs';
import { generate, lines, show } from './bench-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { createEngine, parseCuda, createDriver, replay, step, timeToRehearse } = await import(
  pathToFileURL(workerData.engine).href
);
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
const [load] = loadavg();
if (load > cpus().length / 2)
  console.log(
    `Other work waits for the ${cpus().length} processors of this machine (load ${load.toFixed(1)}): so will this.`,
  );
console.log('Programs with the driver’s verdict (test/programs)');
const folder = path.join(root, 'test', 'programs');
const programs = readdirSync(folder)
  .filter((name) => name.endsWith('.cu'))
  .map((name) => ({ file: name, text: readFileSync(path.join(folder, name), 'utf8') }));
const total = programs.reduce((sum, program) => sum + lines(program.text), 0);
let reading = 0;
/** Under a name of its own each time: a text that was analysed before under this name would be remembered. */
const cold = (text, isCancelled) =>
  engine.analyse({ file: `cold${reading++}.cu`, text, language: 'cuda', isCancelled });
for (const program of programs.slice(0, 40)) cold(program.text);
const parseAll = at(
  sorted(3, () => {
    for (const program of programs) parseCuda(parser, program.file, program.text);
  }),
  0.5,
);
const analyseAll = at(
  sorted(3, () => {
    for (const program of programs) cold(program.text);
  }),
  0.5,
);
show(`  cut and lower heads, ${programs.length} programs`, parseAll, total);
show('  full analysis', analyseAll, total);
console.log(`  analysis : reading = ${(analyseAll / parseAll).toFixed(1)} : 1`);

/** What is typed at the ends of lines all over the text: a space that stays, or a statement that comes letter by letter and goes again. */
const typings = {
  'a space': [' '],
  'a statement': [...Array.from('n = n + 1;', (_, index) => 'n = n + 1;'.slice(0, index + 1)), ''],
};

/** What the server rehearses while nobody types, all of it with the first document. */
let left = timeToRehearse;

/** Gives the times of the analyses, as the server asks for them. */
function type(file, start, typed, count) {
  let text = start;
  engine.analyse({ file, text, language: 'cuda', isTyped: true });
  while (left > 0) left -= time(() => engine.rehearse({ file, text, language: 'cuda', isTyped: true }));
  const times = [];
  for (let index = 0; times.length < count; index++) {
    const from = Math.floor((index * 7919) % (text.length - 100));
    const end = text.indexOf('\n', from);
    const [before, behind] = [text.slice(0, end), text.slice(end)];
    for (const added of typed) {
      text = before + added + behind;
      times.push(time(() => engine.analyse({ file, text, language: 'cuda', isTyped: true })));
    }
  }
  return times.sort((first, second) => first - second);
}

for (const size of [5000, 500]) {
  const program = generate(size);
  const library = program.slice(0, program.indexOf('int main()'));
  console.log(`A generated file of ${lines(program)} lines`);
  show(
    '  full analysis, cold (median)',
    at(
      sorted(15, () => cold(program)),
      0.5,
    ),
    lines(program),
  );
  for (const [shape, text] of [
    ['one main that calls everything', program],
    ['functions that nobody calls', library],
  ]) {
    for (const [what, typed] of Object.entries(typings)) {
      const keys = type(`${shape} ${what} ${size}.cu`, text, typed, 120);
      console.log(
        `  a keystroke of ${what}, ${shape}: p50 ${at(keys, 0.5).toFixed(1)} ms, p99 ${at(keys, 0.99).toFixed(1)} ms`,
      );
    }
  }
}

{
  const text = generate(5000);
  const lags = [];
  for (let index = 0; index < 600; index++) {
    const wanted = performance.now() + (index % 120) * 0.6;
    try {
      cold(text, () => performance.now() > wanted);
    } catch {
      lags.push(performance.now() - wanted);
    }
  }
  lags.sort((first, second) => first - second);
  const figure = (share) => `${at(lags, share).toFixed(1)} ms`;
  console.log(
    `Cancellation, 5,000 lines: the work ends after p50 ${figure(0.5)}, p95 ${figure(0.95)}, p99 ${figure(0.99)}`,
  );
}

await checkTree(root, process.argv[2]);

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
