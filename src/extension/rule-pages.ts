/** The rules' pages: they ship with the extension and open as a preview inside the editor, without a network. */

import * as vscode from 'vscode';

const scheme = 'graphmem-rule';

/**
 * Serves `graphmem-rule:/<id>.md` as a read-only file system: such a page can be linked from a diagnostic, and comes back
 * after a reload (`onFileSystem:graphmem-rule`), which a page given by a content provider could not.
 */
export function registerRulePages(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider(scheme, createPages(context), { isReadonly: true }),
  );
}

/** The extension's defaults (`workbench.editorAssociations`) make it a preview. */
export async function openRulePage(rule: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme, path: `/${rule}.md` }));
}

/** Ids of all rules that have a page. */
export async function ruleIds(context: vscode.ExtensionContext): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(folderOf(context));
    return entries.flatMap(([name]) => (name.endsWith('.md') ? [name.slice(0, -3)] : [])).sort();
  } catch {
    return [];
  }
}

function createPages(context: vscode.ExtensionContext): vscode.FileSystemProvider {
  const readFile = async (uri: vscode.Uri): Promise<Uint8Array> => {
    const rule = ruleOf(uri);
    try {
      return await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folderOf(context), `${rule}.md`));
    } catch {
      return new TextEncoder().encode(`# ${rule}\n\nThere is no page for this rule.\n`);
    }
  };
  const stat = async (uri: vscode.Uri): Promise<vscode.FileStat> => {
    const { byteLength } = await readFile(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: byteLength };
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    readFile,
    stat,
    watch: () => ({ dispose() {} }),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
}

function folderOf(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'docs', 'rules');
}

/** Only what can be a rule's id: the name comes from a link and must not lead elsewhere. */
function ruleOf(uri: vscode.Uri): string {
  const rule = /^\/([A-Za-z0-9-]+)\.md$/.exec(uri.path)?.[1];
  if (rule === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return rule;
}
