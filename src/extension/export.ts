/** Saves what the view drew, where the person says. Works on any file system the editor knows. */

import * as vscode from 'vscode';

export async function saveExport(source: vscode.Uri, format: 'svg', content: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    defaultUri: source.with({ path: source.path.replace(/(\.[^./]*)?$/, `.${format}`) }),
    filters: { 'SVG picture': [format] },
    title: 'Export the graph',
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(content));
    void vscode.window.setStatusBarMessage(`Graph Memory: saved ${vscode.workspace.asRelativePath(target)}`, 5000);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`The picture could not be saved: ${reason}`);
  }
}
