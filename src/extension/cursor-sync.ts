/** From the code to the picture: what stands at the editor's cursor is lit in the panels. */

import * as vscode from 'vscode';
import type { Panels } from './panels.ts';
import { takeOwnSelection } from './reveal-place.ts';

/** A held arrow key moves the cursor thirty times a second; the picture follows ten times. */
const interval = 100;

export function registerCursorSync(context: vscode.ExtensionContext, panels: Panels): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: vscode.TextEditor | undefined;

  const tell = () => {
    timer = undefined;
    if (latest === undefined) return;
    const { document, selection } = latest;
    for (const panel of panels.all()) panel.revealCursor(document.uri, selection.active);
  };

  context.subscriptions.push(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (panels.all().length === 0 || takeOwnSelection(textEditor)) return;
      latest = textEditor;
      timer ??= setTimeout(tell, interval);
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
