/** All panels, one per file, and their return after the window was reloaded. */

import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { AnalysedFiles } from './analysed-files.ts';
import { createPanel, type Pane, type Panel } from './panel.ts';
import { panelPage, resourceRoots } from './panel-page.ts';
import type { SymbolValues } from './symbol-values.ts';

const panelType = 'graphmem.panel';

/** The picture follows the typing when it pauses; the squiggles come first. */
const pause = 150;

export interface Panels extends vscode.Disposable {
  /** Opens the file's panel beside the editor, or brings it to the front. */
  readonly show: (uri: vscode.Uri, pane: Pane, entry?: string) => Promise<void>;
  readonly all: () => readonly Panel[];
}

export interface PanelsParts {
  readonly context: vscode.ExtensionContext;
  readonly client: Promise<BaseLanguageClient>;
  readonly symbols: SymbolValues;
  readonly analysed: AnalysedFiles;
}

export function createPanels({ context, client, symbols, analysed }: PanelsParts): Panels {
  const panels = new Map<string, Panel>();

  const adopt = (webview: vscode.WebviewPanel, uri: vscode.Uri, entry: string | undefined): Panel => {
    webview.webview.options = { enableScripts: true, localResourceRoots: resourceRoots(context.extensionUri) };
    webview.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png');
    const panel = createPanel({ webview, uri, entry, client, symbols });
    panels.set(uri.toString(), panel);
    webview.onDidDispose(() => {
      panel.dispose();
      if (panels.get(uri.toString()) === panel) panels.delete(uri.toString());
    });
    // Last, so that the view's first message already finds a listener.
    webview.webview.html = panelPage(webview.webview, context.extensionUri);
    return panel;
  };

  const open = (uri: vscode.Uri, entry: string | undefined): Panel => {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    return adopt(vscode.window.createWebviewPanel(panelType, titleOf(uri), where), uri, entry);
  };

  const serializer = vscode.window.registerWebviewPanelSerializer(panelType, {
    async deserializeWebviewPanel(webview, state) {
      const restored = restoredState(state);
      if (restored === undefined) webview.dispose();
      else adopt(webview, restored.uri, restored.entry);
    },
  });

  const pending = new Map<string, ReturnType<typeof setTimeout>>();
  const refreshing = analysed.onDidChange(({ uri }) => {
    const key = vscode.Uri.parse(uri).toString();
    clearTimeout(pending.get(key));
    pending.set(
      key,
      setTimeout(() => panels.get(key)?.refresh(), pause),
    );
  });

  return {
    all: () => [...panels.values()],
    async show(uri, pane, entry) {
      await (panels.get(uri.toString()) ?? open(uri, entry)).show(pane, entry);
    },
    dispose() {
      serializer.dispose();
      refreshing.dispose();
      for (const timer of pending.values()) clearTimeout(timer);
    },
  };
}

function titleOf(uri: vscode.Uri): string {
  return `Graph Memory: ${uri.path.split('/').at(-1)}`;
}

/** What the view remembered; it may wrap the protocol's state with its own. */
function restoredState(state: unknown): { uri: vscode.Uri; entry: string | undefined } | undefined {
  const outer = (state ?? {}) as { view?: unknown };
  const { file, entry } = (outer.view ?? outer) as { file?: unknown; entry?: unknown };
  if (typeof file !== 'string' || file === '') return undefined;
  return { uri: vscode.Uri.parse(file), entry: typeof entry === 'string' ? entry : undefined };
}
