/** The person's settings, with the contents of the model files: the server may have no files of its own. */

import * as vscode from 'vscode';

export interface Configuration {
  readonly enable: boolean;
  readonly models: readonly { readonly file: string; readonly text: string }[];
  readonly defines: readonly string[];
}

export async function readConfiguration(): Promise<Configuration> {
  const section = vscode.workspace.getConfiguration('graphmem');
  const models = stringsIn(section.get<unknown>('models'));
  return {
    enable: section.get('enable') !== false,
    models: (await Promise.all(models.map(readModel))).flat(),
    defines: stringsIn(section.get<unknown>('defines')),
  };
}

/** Whether it is one of the model files: its text counts, and so does every new one. */
export function isModelFile(uri: vscode.Uri): boolean {
  const models = stringsIn(vscode.workspace.getConfiguration('graphmem').get<unknown>('models'));
  return models.some((each) => modelUri(each)?.toString() === uri.toString());
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** A file that cannot be read is said, and left out: the other settings still hold. */
async function readModel(path: string): Promise<{ file: string; text: string }[]> {
  const uri = modelUri(path);
  try {
    if (uri === undefined) throw new Error('no folder is open that it could be relative to');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
    return [{ file: uri.toString(), text }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(`graphmem.models: ${path} could not be read (${reason})`);
    return [];
  }
}

/** Absolute, or relative to the first workspace folder. */
function modelUri(path: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!/^([A-Za-z]:)?[\\/]/.test(path)) return folder && vscode.Uri.joinPath(folder, path);
  return folder === undefined ? vscode.Uri.file(path) : folder.with({ path: vscode.Uri.file(path).path });
}
