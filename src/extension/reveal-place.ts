/** From the picture to the code: shows a place in its editor. */

import * as vscode from 'vscode';
import type { Place } from '../scene/scene.ts';

/** Selections made by us, so that the cursor's way back to the picture does not undo what was clicked there. */
let ownSelection: { readonly uri: string; readonly selection: vscode.Range } | undefined;

/** Whether this selection is the one that `revealPlace` has just made; asking forgets it. */
export function takeOwnSelection(editor: vscode.TextEditor): boolean {
  const own = ownSelection;
  const isOwn = own?.uri === editor.document.uri.toString() && own.selection.isEqual(editor.selection);
  if (isOwn) ownSelection = undefined;
  return isOwn;
}

/** Reuses the editor that shows the file; otherwise opens one, but never on top of the panel. */
export async function revealPlace(
  { file, range }: Place,
  preserveFocus: boolean,
  panelColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  const uri = vscode.Uri.parse(file);
  const selection = new vscode.Range(
    range.start.line - 1,
    range.start.column - 1,
    range.end.line - 1,
    range.end.column - 1,
  );
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.viewColumn;
    const elsewhere = panelColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
    ownSelection = { uri: uri.toString(), selection };
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: shown ?? elsewhere,
      preserveFocus,
      selection,
    });
    editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(`${file} cannot be shown: ${reason}`);
  }
}
