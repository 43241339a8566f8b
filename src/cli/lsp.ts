/** `graphmem lsp --stdio`: the language server, in its own process. */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CommandIo } from './io.ts';

/** Runs the server until it ends; its exit code is ours. */
export function startServer(words: readonly string[], io: CommandIo): Promise<number> {
  const allowed =
    words.length === 0 ||
    words.every((word) => /^--(?:stdio|node-ipc|pipe=.+|socket=\d+|clientProcessId=\d+)$/.test(word));
  if (!allowed) {
    io.stderr(`graphmem lsp: no such option: ${words.join(' ')}; use --stdio\n`);
    return Promise.resolve(2);
  }
  const server = fileURLToPath(new URL('server.js', import.meta.url));
  const child = spawn(process.execPath, [server, ...(words.length === 0 ? ['--stdio'] : words)], { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      io.stderr(`graphmem lsp: ${error.message}\n`);
      resolve(2);
    });
    child.on('exit', (code) => resolve(code ?? 2));
  });
}
