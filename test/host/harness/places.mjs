/** Where things are. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Everything the tests write: ignored by git, safe to delete. */
export const work = path.join(root, 'test', '.work');

/** One JSON file a suite, `{suite, passed, failed, seconds}`; `scripts/test.mjs` adds them up. */
export const reports = path.join(work, 'reports');

export const workspace = path.join(root, 'test', 'host', 'workspace');

const host = path.join(root, 'test', 'vscode-host');
export const hostSetup = path.join(host, 'setup.mjs');
export const hostNode = path.join(host, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
export const codeServer = path.join(host, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
