/** Puts the extension together. Nothing here waits for the server: it starts beside the editor, not before it. */

import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { createAnalysedFiles } from './analysed-files.ts';
import { clientOptions } from './client-options.ts';
import { registerCommands } from './commands.ts';
import { registerCursorSync } from './cursor-sync.ts';
import { createPanels } from './panels.ts';
import { registerRulePages } from './rule-pages.ts';
import { isModelFile, readConfiguration } from './settings.ts';
import { registerStatus } from './status.ts';
import { createSymbolValues } from './symbol-values.ts';

export interface Extension {
  readonly stop: () => Promise<void>;
}

/** Where the extension runs decides how its client is made. */
export type CreateClient = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** Registers everything at once; the client follows when its settings have been read. */
export function startExtension(context: vscode.ExtensionContext, createClient: CreateClient): Extension {
  const analysed = createAnalysedFiles();
  const client = startClient(context, createClient, (running) => analysed.listen(running));
  client.catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Graph Memory Debugger could not start its language server: ${reason}`);
  });

  const symbols = createSymbolValues(context.workspaceState);
  const panels = createPanels({ context, client, symbols, analysed });
  registerCommands(context, { panels, analysed });
  registerCursorSync(context, panels);
  registerRulePages(context);
  registerStatus(context, analysed);
  context.subscriptions.push(analysed, panels);

  return { stop: async () => (await client.catch(() => undefined))?.stop() };
}

async function startClient(
  context: vscode.ExtensionContext,
  createClient: CreateClient,
  prepare: (client: BaseLanguageClient) => void,
): Promise<BaseLanguageClient> {
  const client = await createClient(clientOptions(context, await readConfiguration()));
  prepare(client);
  await client.start();
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration('graphmem')) return;
      await sendConfiguration(client);
    }),
    vscode.workspace.onDidSaveTextDocument(async ({ uri }) => {
      if (isModelFile(uri)) await sendConfiguration(client);
    }),
  );
  return client;
}

async function sendConfiguration(client: BaseLanguageClient): Promise<void> {
  const settings = { graphmem: await readConfiguration() };
  await client.sendNotification('workspace/didChangeConfiguration', { settings });
}
