/** Makes the changes of a what-if in the code, as one edit that can be undone. */

import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type SceneParams, type WhatIfEditsResult, whatIfEditsRequest } from '../scene/requests.ts';

/** Says why when it cannot be done; the text is then as it was. */
export async function applyWhatIf(client: BaseLanguageClient, params: SceneParams): Promise<void> {
  const uri = vscode.Uri.parse(params.uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const result = await client.sendRequest<WhatIfEditsResult>(whatIfEditsRequest, params);
  if (result.kind === 'refused') return warn(result.reason);
  if (result.version !== document.version) return warn('the file has changed meanwhile.');
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of result.edits) {
    const { start, end } = range;
    edit.replace(uri, new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1), newText);
  }
  if (!(await vscode.workspace.applyEdit(edit))) await warn('the editor refused the edit.');
}

async function warn(reason: string): Promise<void> {
  void vscode.window.showWarningMessage(`Graph Memory: the change could not be made in the code: ${reason}`);
}
