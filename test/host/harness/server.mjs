/** Starts the VS Code that runs in a browser (code-server) with a profile of its own, and ends it again. */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { codeServer, hostNode, work } from './places.mjs';
import { until } from './time.mjs';
import { copyWorkspace } from './workspace.mjs';

const settings = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'update.mode': 'none',
  'files.autoSave': 'off',
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.minimap.enabled': false,
  'security.workspace.trust.enabled': false,
  'git.enabled': false,
  'typescript.disableAutomaticTypeAcquisition': true,
};

/** No marketplace: the editor would ask for it at every start. */
const gallery = { serviceUrl: '', itemUrl: '', resourceUrlTemplate: '', controlUrl: '', recommendationsUrl: '' };

/**
 * `{vsix, environment, extraSettings}`: a packed extension to install, variables and settings of this run.
 * Returns `{port, folder, logFile, stop}`; `folder` is the open workspace, which tests may change.
 */
export async function startServer({ vsix, environment = {}, extraSettings = {} }) {
  mkdirSync(work, { recursive: true });
  const home = mkdtempSync(path.join(work, 'profile-'));
  const directory = (...names) => {
    const made = path.join(home, ...names);
    mkdirSync(made, { recursive: true });
    return made;
  };
  const folder = copyWorkspace(path.join(home, 'workspace'));
  writeFileSync(
    path.join(directory('data', 'User'), 'settings.json'),
    JSON.stringify({ ...settings, ...extraSettings }),
  );
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: home,
    EXTENSIONS_GALLERY: JSON.stringify(gallery),
    ...environment,
  };
  const profile = ['--user-data-dir', directory('data'), '--extensions-dir', directory('extensions')];
  if (vsix !== undefined) install(vsix, profile, env);

  const port = await freePort();
  const logFile = path.join(home, 'server.log');
  const log = createWriteStream(logFile);
  const options = [
    '--auth',
    'none',
    '--bind-addr',
    `127.0.0.1:${port}`,
    '--disable-telemetry',
    '--disable-update-check',
  ];
  const args = [codeServer, ...profile, ...options, '--disable-workspace-trust', '--disable-getting-started-override'];
  // Without this switch a built VS Code ignores the request to run tests in its extension host, without a word.
  const child = spawn(hostNode, [...args, '--vscode-option', 'enable-smoke-test-driver'], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  let exited = false;
  child.on('exit', () => {
    exited = true;
  });

  // Whatever ends the suite, an error or Ctrl+C, the server must not outlive it.
  const endWithUs = () => endGroup(child.pid, 'SIGKILL');
  const interrupted = () => process.exit(130);
  process.on('exit', endWithUs);
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', interrupted);

  const stop = async ({ keep = false } = {}) => {
    endGroup(child.pid, 'SIGTERM');
    await until('the VS Code server to end', () => exited, { patience: 5000 }).catch(() =>
      endGroup(child.pid, 'SIGKILL'),
    );
    process.off('exit', endWithUs);
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', interrupted);
    if (!keep) rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await until('the VS Code server to answer', () => {
      if (exited) throw new Error(`the VS Code server ended at once; see ${logFile}`);
      return answers(port);
    });
  } catch (error) {
    await stop({ keep: true });
    throw error;
  }
  return { port, folder, logFile, stop };
}

function install(vsix, profile, env) {
  const args = [codeServer, ...profile, '--install-extension', vsix];
  const { status, stdout, stderr } = spawnSync(hostNode, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${vsix} could not be installed:\n${stdout}${stderr}`);
}

function endGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function answers(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false;
  }
}
