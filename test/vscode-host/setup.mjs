/**
 * Installs a real VS Code under `node_modules` beside this file: code-server from npm, and the Node it was built for,
 * also from npm. Nothing is compiled and nothing but the registry is asked.
 *
 * code-server's own install script refuses any Node but its own and compiles native parts that tests never reach
 * (terminals, Kerberos, file logs), so scripts are switched off and the two steps of it that matter are done here; the logger and the watchdog, compiled too, get stand-ins.
 * Running it again costs nothing: a stamp remembers which lock file was installed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, 'node_modules');
const vscode = path.join(modules, 'code-server', 'lib', 'vscode');
const stampFile = path.join(modules, '.graphmem-stamp');
const stamp = ['package-lock.json', 'setup.mjs', 'file-log.js']
  .reduce((hash, file) => hash.update(readFileSync(path.join(here, file))), createHash('sha256'))
  .digest('hex');

/** Where the harness finds the two parts; the same expression as in `test/host/harness/server.mjs`. */
const node = path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');

if (process.platform !== 'linux')
  fail('code-server is set up here on Linux only; elsewhere run with GRAPHMEM_DESKTOP=1.');
if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
  console.log('VS Code host: already installed');
} else {
  install();
}

function install() {
  const started = Date.now();
  rmSync(stampFile, { force: true });
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  npm(['ci', ...quiet], here);
  // The shipped shrinkwrap does not satisfy `npm ci`; upstream installs it the same way.
  npm(['install', '--omit=dev', ...quiet], vscode);
  npm(['install', '--omit=dev', ...quiet], path.join(vscode, 'extensions'));
  link('code-linux.sh', path.join(vscode, 'bin', 'remote-cli', 'code-server'));
  link('browser-linux.sh', path.join(vscode, 'bin', 'helpers', 'browser.sh'));
  copyFileSync(path.join(here, 'file-log.js'), path.join(vscode, 'node_modules', '@vscode', 'spdlog', 'index.js'));
  writeFileSync(
    path.join(vscode, 'node_modules', '@vscode', 'native-watchdog', 'index.js'),
    'exports.start = () => {};\n',
  );
  if (!existsSync(node)) fail(`the registry has no Node for ${process.platform}-${process.arch}: ${node} is missing.`);
  const asked = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (asked.status !== 0) fail(`${node} does not run: ${asked.stderr}`);
  writeFileSync(stampFile, stamp);
  console.log(
    `VS Code host: installed in ${((Date.now() - started) / 1000).toFixed(1)} s (Node ${asked.stdout.trim()})`,
  );
}

function npm(args, cwd) {
  const run = spawnSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env: cleanEnvironment() });
  if (run.status !== 0) fail(`"npm ${args.join(' ')}" failed in ${cwd} (exit ${run.status ?? run.signal}).`);
}

/** npm hands its own settings to the scripts it runs; the nested installs must not inherit those of the outer one. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(package|lifecycle|command|execpath|node_execpath|config_(local_prefix|ignore_scripts))/i.test(name),
  );
  return Object.fromEntries(kept);
}

function link(target, at) {
  rmSync(at, { force: true });
  symlinkSync(target, at);
}

function fail(message) {
  console.error(`VS Code host: ${message}`);
  process.exit(1);
}
