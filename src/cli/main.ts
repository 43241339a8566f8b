/** `graphmem`: the command. Parses the first word and hands over; every subcommand has a file of its own. */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { checkCommand } from './check.ts';
import { answerFiles } from './check-files.ts';
import { explainCommand } from './explain.ts';
import { graphCommand } from './graph.ts';
import type { CommandIo } from './io.ts';
import { loadEngine } from './load-engine.ts';
import { expectFiles, expectOneRun } from './one-run.ts';
import { record } from './record.ts';
import { replay } from './replay.ts';
import { rulesCommand } from './rules.ts';
import { simulateCommand } from './simulate.ts';
import { help, usage, version } from './usage.ts';

const io: CommandIo = {
  stdout: (text) => {
    process.stdout.write(text);
  },
  stderr: (text) => {
    process.stderr.write(text);
  },
  readFile: (path) => readFile(path),
  writeFile: (path, text) => writeFile(path, text),
  loadEngine,
  startThread: (settings) => new Worker(fileURLToPath(import.meta.url), { workerData: settings }),
};

/** A check reads each file once. */
const loadForOneRun = () => loadEngine({ keepsResults: false });

async function run(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words;
  const helpText = command !== undefined && asksForHelp(rest) ? help[command] : undefined;
  if (helpText !== undefined) {
    io.stdout(helpText);
    return 0;
  }
  switch (command) {
    case 'check':
      expectOneRun();
      return checkCommand(rest, { ...io, loadEngine: loadForOneRun, expectFiles });
    case 'graph':
      return graphCommand(rest, io);
    case 'simulate':
      return simulateCommand(rest, io);
    case 'rules':
      return rulesCommand(rest, io);
    case 'explain':
      return explainCommand(rest, io);
    case 'replay':
      return replay(rest, io);
    case 'record':
      return record(rest, io);
    case 'lsp': {
      const { startServer } = await import('./lsp.ts');
      return startServer(rest, io);
    }
    case '--version':
    case 'version':
      io.stdout(`${version}\n`);
      return 0;
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      io.stdout(usage);
      return command === undefined ? 2 : 0;
    default:
      io.stderr(`graphmem: no such command: ${command}\n\n${usage}`);
      return 2;
  }
}

/** `graphmem check --help` as well as `graphmem --help`. */
function asksForHelp(words: readonly string[]): boolean {
  const behind = words.indexOf('--');
  return (behind < 0 ? words : words.slice(0, behind)).some((word) => word === '--help' || word === '-h');
}

// A closed pipe (`graphmem … | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

if (!isMainThread && parentPort) {
  void answerFiles(parentPort, workerData, loadForOneRun());
} else {
  run(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      io.stderr(`graphmem: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    },
  );
}
