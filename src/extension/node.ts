/** The extension in a Node extension host: the server runs in a process of its own. */

import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { type Extension, startExtension } from './start.ts';

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const module = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  extension = startExtension(context, async (options) => {
    const server = { module, transport: TransportKind.ipc };
    return new LanguageClient('graphmem', 'Graph Memory Debugger', { run: server, debug: server }, options);
  });
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}
