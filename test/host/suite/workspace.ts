/** The workspace's files, opened, read and left behind as the suite needs them. */

import * as vscode from 'vscode';
import { isTrue, until } from './check.ts';

export const extensionId = 'graphmem.graphmem';

export function fileUri(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  isTrue(folder !== undefined, 'no folder is open');
  return vscode.Uri.joinPath(folder.uri, name);
}

export async function open(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(fileUri(name));
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
}

export async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Our diagnostics of a document, by nobody else. */
export function ours(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'graphmem');
}

export function ruleOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** Waits for diagnostics that satisfy `wanted`. */
export function diagnosticsWhen(
  uri: vscode.Uri,
  wanted: (diagnostics: readonly vscode.Diagnostic[]) => boolean,
): Promise<vscode.Diagnostic[]> {
  return until(`diagnostics of ${uri.path}`, () => {
    const now = ours(uri);
    return wanted(now) ? now : undefined;
  }).catch((error: unknown) => {
    const seen = ours(uri).map((each) => `${each.range.start.line + 1}: ${ruleOf(each)} ${each.message}`);
    throw new Error(`${error instanceof Error ? error.message : error}; seen: ${seen.join(' | ') || 'none'}`);
  });
}

/** Replaces the first `before` in the document by `after`; the text stays unsaved. */
export async function replace(editor: vscode.TextEditor, before: string, after: string): Promise<void> {
  const { document } = editor;
  const start = document.getText().indexOf(before);
  isTrue(start >= 0, `"${before}" is not in ${document.uri.path}`);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + before.length));
  isTrue(await editor.edit((edit) => edit.replace(range, after)), 'the edit was refused');
}

/** The place of `text` in the document, `within` characters after its start. */
export function positionOf(document: vscode.TextDocument, text: string, within = 0): vscode.Position {
  const start = document.getText().indexOf(text);
  isTrue(start >= 0, `"${text}" is not in ${document.uri.path}`);
  return document.positionAt(start + within);
}
