/**
 * Makes sure that everything a suite needs is there: installs it where that can be done (the VS Code host from npm,
 * Chromium through apt when we are root), otherwise fails and says exactly what is missing. Nothing is ever skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostSetup } from './places.mjs';

/** The path of a Chromium. `GRAPHMEM_CHROMIUM` names one that we would not find. */
export function requireChromium() {
  const named = process.env.GRAPHMEM_CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`GRAPHMEM_CHROMIUM names ${named}, which is not there`);
    return named;
  }
  return findChromium() ?? installChromium();
}

/** The VS Code that runs in a browser, and its Node. */
export function requireHost() {
  run(process.execPath, [hostSetup], 'the VS Code host could not be installed');
}

function findChromium() {
  const known = [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/google/chrome/chrome',
  ];
  return known.find((file) => existsSync(file));
}

function installChromium() {
  const isRoot = process.getuid?.() === 0;
  const hasApt = spawnSync('apt-get', ['--version']).status === 0;
  if (!isRoot || !hasApt) {
    throw new Error(
      'Chromium is missing. Install it ("apt-get install chromium fonts-dejavu-core" as root), or name one in GRAPHMEM_CHROMIUM',
    );
  }
  console.log('Chromium is missing: installing it with apt-get');
  run('apt-get', ['update', '-qq'], 'apt-get update failed');
  const packages = ['chromium', 'fonts-dejavu-core'];
  run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    'apt-get could not install Chromium',
  );
  const found = findChromium();
  if (found === undefined) throw new Error('apt-get installed Chromium, but not where we look for it');
  return found;
}

function run(command, args, failure) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, signal, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0) throw new Error(`${failure} (${error?.message ?? signal ?? `exit ${status}`})`);
}
