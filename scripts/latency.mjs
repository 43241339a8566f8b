/**
 * How long a keystroke takes to reach the screen's diagnostics: `node scripts/latency.mjs [FILE] [--keys N]`.
 *
 * Starts the built server as an editor does, opens FILE (or the longest example), types N letters into a comment in its
 * midst, waits for the diagnostics of each, and prints the server's own time and the client's, p50 and p99.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const server = path.join(root, 'dist', 'server.js');

/** Measures; returns `{file, lines, keys, firstMilliseconds, server: {p50, p99}, client: {p50, p99}}`. */
export async function measureLatency(file, keys = 200) {
  if (!existsSync(server)) throw new Error('dist/server.js is missing: run "npm run build"');
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const waiting = new Map();
  connection.onNotification('graphmem/analysed', (params) => waiting.get(params.version)?.(params));
  connection.onNotification('textDocument/publishDiagnostics', () => {});
  connection.onNotification('window/showMessage', ({ message }) => console.error(message));
  connection.onNotification('window/logMessage', () => {});
  connection.listen();
  const analysed = (version) =>
    new Promise((resolve) => {
      waiting.set(version, (params) => {
        waiting.delete(version);
        resolve(params);
      });
    });

  const text = readFileSync(file, 'utf8');
  const uri = pathToFileURL(file).href;
  const line = Math.floor(text.split('\n').length / 2);
  await connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
  await connection.sendNotification('initialized', {});
  const opened = performance.now();
  const first = analysed(1);
  const textDocument = { uri, languageId: 'cuda-cpp', version: 1, text };
  await connection.sendNotification('textDocument/didOpen', { textDocument });
  await first;
  const firstMilliseconds = performance.now() - opened;

  const own = [];
  const seen = [];
  let version = 1;
  const type = async (inserted, column) => {
    version++;
    const answer = analysed(version);
    const started = performance.now();
    const at = { line, character: column };
    await connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: at, end: at }, text: inserted }],
    });
    const { milliseconds } = await answer;
    own.push(milliseconds);
    seen.push(performance.now() - started);
  };
  await type('//\n', 0);
  for (let key = 0; key < keys; key++) await type('x', 2 + key);

  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  connection.dispose();
  return {
    file,
    lines: text.split('\n').length,
    keys,
    firstMilliseconds,
    server: percentiles(own),
    client: percentiles(seen),
  };
}

function percentiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

function longestExample() {
  const folder = path.join(root, 'examples');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.cu')) : [];
  const paths = files.map((name) => path.join(folder, name));
  const lengths = new Map(paths.map((file) => [file, readFileSync(file, 'utf8').length]));
  return paths.sort((a, b) => lengths.get(b) - lengths.get(a))[0];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const args = process.argv.slice(2);
  const keys = args.includes('--keys') ? Number(args[args.indexOf('--keys') + 1]) : 200;
  const file = args.find((arg, index) => !arg.startsWith('--') && args[index - 1] !== '--keys') ?? longestExample();
  if (file === undefined) {
    console.error('latency: name a file');
    process.exit(2);
  }
  const result = await measureLatency(path.resolve(file), keys);
  const words = ({ p50, p99 }) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  console.log(`${path.relative(process.cwd(), result.file)}: ${result.lines} lines, ${result.keys} keys`);
  console.log(
    `  opened to diagnostics (server start and grammars included): ${result.firstMilliseconds.toFixed(0)} ms`,
  );
  console.log(`  keystroke to diagnostics, server: ${words(result.server)}`);
  console.log(`  keystroke to diagnostics, client: ${words(result.client)}`);
}
