/**
 * One panel: the webview that shows one file's graphs and memory. It asks the server for the scene whenever the view is
 * (again) ready, the file was analysed, or the person chose another entry or value; the newest question wins.
 */

import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { FromView, ToView } from '../scene/protocol.ts';
import { type SceneParams, type SceneResult, sceneRequest } from '../scene/requests.ts';
import type { Scene } from '../scene/scene.ts';
import type { WhatIfChange } from '../scene/what-if-change.ts';
import { applyWhatIf } from './apply-what-if.ts';
import { saveExport } from './export.ts';
import { revealPlace } from './reveal-place.ts';
import type { SymbolValues } from './symbol-values.ts';

export type Pane = 'graph' | 'memory';

export interface Panel extends vscode.Disposable {
  readonly uri: vscode.Uri;
  /** Brings it to the front, showing `entry` and the pane. */
  readonly show: (pane: Pane, entry: string | undefined) => Promise<void>;
  readonly refresh: () => Promise<void>;
  /** The editor's cursor stands here. */
  readonly revealCursor: (uri: vscode.Uri, position: vscode.Position) => void;
}

export interface PanelParts {
  readonly webview: vscode.WebviewPanel;
  readonly uri: vscode.Uri;
  readonly entry: string | undefined;
  readonly client: Promise<BaseLanguageClient>;
  readonly symbols: SymbolValues;
}

/** A quick answer needs no word about waiting; a slow one gets a notice in the panel, a very slow one a way to stop it. */
const patience = { panel: 250, notification: 1500 };

/** Wires a panel whose page is already set; whoever made the webview decides when it ends. */
export function createPanel({ webview, uri, entry: firstEntry, client, symbols }: PanelParts): Panel {
  let entry = firstEntry;
  let isReady = false;
  let pane: Pane | undefined;
  let files: ReadonlySet<string> = new Set();
  let asking: vscode.CancellationTokenSource | undefined;
  /** A what-if names things of one text; another text has none. */
  let changes: readonly WhatIfChange[] = [];
  let shownVersion: number | undefined;
  const name = uri.path.split('/').at(-1) ?? '';

  const post = (message: ToView) => {
    if (isReady) void webview.webview.postMessage(message);
  };

  const paramsWith = (wanted: readonly WhatIfChange[]): SceneParams => ({
    uri: uri.toString(),
    settings: symbols.of(uri),
    ...(entry === undefined ? {} : { entry }),
    ...(wanted.length === 0 ? {} : { changes: wanted }),
  });

  const ask = async (token: vscode.CancellationToken): Promise<SceneResult> => {
    try {
      // The server knows open documents only; after a reload nobody may have opened this one yet.
      const { version } = await vscode.workspace.openTextDocument(uri);
      if (version !== shownVersion) changes = [];
      shownVersion = version;
      return await (await client).sendRequest<SceneResult>(sceneRequest, paramsWith(changes), token);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { kind: 'failed', title: `${name} could not be read`, detail };
    }
  };

  const refresh = async () => {
    if (!isReady) return;
    asking?.cancel();
    const source = new vscode.CancellationTokenSource();
    asking = source;
    const answer = Promise.race([ask(source.token), cancelled(source.token)]);
    const timers = [
      setTimeout(() => post({ kind: 'progress', title: `Reading ${name}`, fraction: null }), patience.panel),
      setTimeout(() => offerToStop(`Simulating ${name}`, source, answer), patience.notification),
    ];
    const result = await answer;
    for (const timer of timers) clearTimeout(timer);
    if (asking !== source) return;
    asking = undefined;
    if (result.kind === 'scene') files = filesOf(result.scene);
    post(result);
    if (pane !== undefined) post({ kind: 'show', pane });
    pane = undefined;
  };

  const receive = async (message: FromView): Promise<void> => {
    switch (message.kind) {
      case 'ready':
        isReady = true;
        return refresh();
      case 'open':
        return revealPlace(message.place, message.preserveFocus, webview.viewColumn);
      case 'entry':
        entry = message.entry;
        changes = [];
        return refresh();
      case 'whatIf':
        changes = message.changes;
        return refresh();
      case 'applyWhatIf':
        return applyWhatIf(await client, paramsWith(message.changes));
      case 'setSymbol':
        await symbols.set(uri, message.name, message.value);
        return refresh();
      case 'cancel':
        asking?.cancel();
        return;
      case 'showGaps':
        await vscode.commands.executeCommand('graphmem.showGaps', uri.toString());
        return;
      case 'export':
        return saveExport(uri, message.format, message.content);
      case 'state':
        entry = message.state.entry ?? entry;
        return;
    }
  };

  const listening = webview.webview.onDidReceiveMessage(receive);

  return {
    uri,
    async refresh() {
      changes = [];
      await refresh();
    },
    async show(wantedPane, wantedEntry) {
      webview.reveal(undefined, true);
      pane = wantedPane;
      if (wantedEntry !== undefined && wantedEntry !== entry) changes = [];
      entry = wantedEntry ?? entry;
      await refresh();
    },
    revealCursor(cursorUri, position) {
      const file = cursorUri.toString();
      if (file !== uri.toString() && !files.has(file)) return;
      post({ kind: 'reveal', file, line: position.line + 1, column: position.character + 1 });
    },
    dispose() {
      asking?.cancel();
      listening.dispose();
    },
  };
}

/** A progress notification with a Cancel button, until the answer is there. */
function offerToStop(title: string, source: vscode.CancellationTokenSource, answer: Promise<unknown>): void {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  void vscode.window.withProgress(options, async (_progress, token) => {
    token.onCancellationRequested(() => source.cancel());
    await answer;
  });
}

/** The person need not wait for the server to notice that it was stopped. */
function cancelled(token: vscode.CancellationToken): Promise<SceneResult> {
  return new Promise((resolve) => {
    token.onCancellationRequested(() =>
      resolve({ kind: 'failed', title: 'Cancelled', detail: 'Run the simulation again when you like.' }),
    );
  });
}

/** Every file that the picture speaks of: headers take part too. */
function filesOf({ graphs, allocations, operations }: Scene): Set<string> {
  const nodes = graphs.flatMap((graph) => [graph, ...graph.nodes]);
  return new Set([...nodes, ...allocations, ...operations].map(({ place }) => place.file));
}
