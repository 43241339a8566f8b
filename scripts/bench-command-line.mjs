/**
 * The command line on a tree, beside other checkers: `npm run bench -- FOLDER` for one of yours, else a million generated lines.
 *
 * The others are slower, so they get every so many of the files, and lines per second are compared. cppcheck needs no headers, and is
 * several times as fast without. clang-tidy does: what the generated files use of CUDA is declared for it. Where it stops at a header that
 * is not there it has done nothing, and nothing is compared.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { declarations, generate, lines, show } from './bench-programs.mjs';

const generatedFiles = 200;

/** Lines for the others, about. */
const linesForOthers = 40_000;

export function checkTree(root, given) {
  const folder = given ?? path.join(root, 'out', 'bench', 'tree');
  const headers = path.join(root, 'out', 'bench', 'headers');
  if (!given) {
    mkdirSync(folder, { recursive: true });
    mkdirSync(headers, { recursive: true });
    const text = generate(5000);
    for (let index = 0; index < generatedFiles; index++) writeFileSync(path.join(folder, `file${index}.cu`), text);
    writeFileSync(path.join(headers, 'cuda_runtime.h'), declarations);
  }
  const files = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.cu'))
    .map((name) => path.join(folder, name));
  const count = linesOf(files);
  const cli = path.join(root, 'dist', 'cli.js');
  const startUp = clock(process.execPath, [cli, 'rules']);
  const ours = clock(process.execPath, [cli, 'check', ...files]);
  const inMilliseconds = ours.milliseconds - startUp.milliseconds;
  console.log(
    `The command line on ${given ? 'your folder' : 'generated files'}: ${files.length} files, ${count.toLocaleString('en')} lines`,
  );
  show('  graphmem check, one process, after start-up', inMilliseconds, count);
  if (ours.megabytes) console.log(`  most memory${`${ours.megabytes} MB`.padStart(46)}`);
  const every = Math.max(1, Math.floor(count / linesForOthers));
  const some = files.filter((_, index) => index % every === 0);
  const countOfSome = linesOf(some);
  const onSome = `, as C++, on ${some.length} of them`;
  const include = given ? [] : ['-I', headers];
  for (const [name, words] of [
    ['cppcheck', ['--enable=warning', '--quiet', '--language=c++', ...some]],
    ['clang-tidy', ['--quiet', ...some, '--', '-x', 'c++', '-std=c++17', '-ferror-limit=0', ...include]],
  ]) {
    const other = clock(name, words);
    if (!other.ran) {
      console.log(`  ${name}: not on this machine`);
      continue;
    }
    show(`  ${name}${onSome}`, other.milliseconds, countOfSome);
    const stopped = new Set(other.said.match(/^.*(?= error: '[^']*' file not found)/gm)).size;
    const ratio = other.milliseconds / countOfSome / (inMilliseconds / count);
    console.log(
      stopped > 0
        ? `  ${name} : graphmem not compared: it stopped at a header that is not there in ${stopped} of ${some.length} files`
        : `  ${name} : graphmem = ${ratio.toFixed(1)} : 1 for as many lines`,
    );
  }
}

function linesOf(files) {
  return files.reduce((sum, name) => sum + lines(readFileSync(name, 'utf8')), 0);
}

/** Runs a command to its end: milliseconds, the most memory it took where `time` tells, and what it said. */
function clock(command, words) {
  const started = performance.now();
  const result = spawnSync('/usr/bin/time', ['-f', 'kilobytes %M', command, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  const milliseconds = performance.now() - started;
  const kilobytes = Number(/kilobytes (\d+)/.exec(result.stderr ?? '')?.[1] ?? 0);
  if (!result.error && !/cannot run|No such file or directory$/m.test(result.stderr))
    return {
      ran: true,
      milliseconds,
      megabytes: Math.round(kilobytes / 1024),
      said: `${result.stdout}${result.stderr}`,
    };
  const plain = performance.now();
  const again = spawnSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 300_000 });
  return {
    ran: !again.error,
    milliseconds: performance.now() - plain,
    megabytes: 0,
    said: `${again.stdout ?? ''}${again.stderr ?? ''}`,
  };
}
