/**
 * What a newcomer runs first (`npm start`, which builds before it): the command on every bundled example. Prints the
 * findings and the simulation of each, writes the panel's view as a page, and says where.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const command = path.join(root, 'dist', 'cli.js');
const pages = path.join(root, 'out');
const sources = /\.(cu|cuh|cpp|cc|ts)$/;

const examples = existsSync(path.join(root, 'examples'))
  ? readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => sources.test(file))
      .sort()
      .map((file) => path.join('examples', file))
  : [];
if (examples.length === 0) stop('there are no programs under examples/');

heading('What is wrong in the examples');
// 1 means findings, which is what the examples are for.
run(['check', ...examples], [0, 1]);

const written = examples.map(simulate);
heading('The same as pictures');
for (const page of written) console.log(`  ${page}`);

function simulate(example) {
  heading(`Memory of ${example}, launch by launch`);
  run(['simulate', example], [0, 1]);
  mkdirSync(pages, { recursive: true });
  const page = path.join(pages, `${path.basename(example)}.html`);
  writeFileSync(page, capture(['simulate', example, '--format', 'html']));
  return page;
}

function run(args, accepted) {
  console.log(`$ graphmem ${args.join(' ')}`);
  const { status, error } = spawnSync(process.execPath, [command, ...args], { cwd: root, stdio: 'inherit' });
  if (!accepted.includes(status ?? -1)) stop(`graphmem ${args[0]} ended with ${status ?? error?.message}`);
}

function capture(args) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [command, ...args], options);
  if (status !== 0 && status !== 1) stop(`graphmem ${args[0]} ended with ${status ?? error?.message}\n${stderr}`);
  return stdout;
}

function heading(text) {
  console.log(`\n${text}\n${'─'.repeat(text.length)}`);
}

function stop(reason) {
  console.error(`start: ${reason}`);
  process.exit(1);
}
