/**
 * `npm run bench`: how long the phases take, and in what ratio. `npm run bench -- FOLDER` checks a folder of yours too.
 *
 * Builds the engine and measures it (`bench-figures.mjs`) in a thread with the memory of the server's analysing thread.
 */

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const engine = path.join(root, 'out', 'bench', 'engine.mjs');
await build({
  stdin: {
    contents: `export * from './src/pipeline.ts'; export { preprocess } from './src/syntax/cuda/preprocess.ts'; export { parseTree } from './src/syntax/syntax-tree.ts'; export { parseCuda } from './src/syntax/cuda/parse.ts'; export { createDriver, step } from './src/driver/driver.ts'; export { replay } from './src/cli/replay.ts'; export { maxYoungGenerationSizeMb } from './src/server/young-generation.ts'; export { timeToRehearse } from './src/server/rehearsals.ts';`,
    resolveDir: root,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile: engine,
  external: ['web-tree-sitter'],
  logLevel: 'warning',
});
// The command line is measured as it ships.
spawnSync(process.execPath, [path.join(root, 'scripts', 'build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] });
const { maxYoungGenerationSizeMb } = await import(pathToFileURL(engine).href);
new Worker(new URL('bench-figures.mjs', import.meta.url), {
  argv: process.argv.slice(2),
  workerData: { engine },
  resourceLimits: { maxYoungGenerationSizeMb },
});
