/** The rules' pages: they ship with the extension and open as a preview inside the editor, without a network. */

import * as vscode from 'vscode';

const scheme = 'graphmem-rule';

/** Serves `graphmem-rule:/<id>.md`, because a preview of the extension's own files is not possible everywhere. */
export function registerRulePages(context: vscode.ExtensionContext): void {
  const provider: vscode.TextDocumentContentProvider = {
    async provideTextDocumentContent(uri) {
      try {
        return new TextDecoder().decode(await vscode.workspace.fs.readFile(pageOf(context, idOf(uri))));
      } catch {
        return `# ${idOf(uri)}\n\nThere is no page for this rule.\n`;
      }
    },
  };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
}

/** The extension's defaults (`workbench.editorAssociations`) make it a preview. */
export async function openRulePage(rule: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.from({ scheme, path: `/${rule}.md` }));
}

/** Ids of all rules that have a page. */
export async function ruleIds(context: vscode.ExtensionContext): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(context.extensionUri, 'docs', 'rules'));
    return entries.flatMap(([name]) => (name.endsWith('.md') ? [name.slice(0, -3)] : [])).sort();
  } catch {
    return [];
  }
}

function pageOf(context: vscode.ExtensionContext, rule: string): vscode.Uri {
  return vscode.Uri.joinPath(context.extensionUri, 'docs', 'rules', `${rule}.md`);
}

/** Only what can be a rule's id: the name comes from a link and must not lead elsewhere. */
function idOf({ path }: vscode.Uri): string {
  return /^\/([A-Za-z0-9-]+)\.md$/.exec(path)?.[1] ?? 'unknown';
}
