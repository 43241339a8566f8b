/** The extension in a web worker (vscode.dev, the web): the server runs in a worker of its own and is given its grammars. */

import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions } from 'vscode-languageclient/browser';
import { type Extension, startExtension } from './start.ts';

const wasmFiles = ['web-tree-sitter.wasm', 'tree-sitter-cuda.wasm', 'tree-sitter-typescript.wasm'];

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const dist = vscode.Uri.joinPath(context.extensionUri, 'dist');
  extension = startExtension(context, async (options) => {
    const wasm = await readWasm(dist);
    const worker = new Worker(vscode.Uri.joinPath(dist, 'server-web.js').toString(true), { name: 'graphmem' });
    const withWasm: LanguageClientOptions = {
      ...options,
      initializationOptions: { ...options.initializationOptions, wasm },
    };
    return new LanguageClient('graphmem', 'Graph Memory Debugger', worker, withWasm);
  });
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}

/** A worker may not be able to fetch from where the extension lies; the editor's file service can. */
async function readWasm(dist: vscode.Uri): Promise<Record<string, Uint8Array>> {
  const entries = wasmFiles.map(async (name) => {
    // The service may hand out a view of its own memory, which a worker must not be sent.
    const bytes = new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(dist, name)));
    return [name, bytes] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
