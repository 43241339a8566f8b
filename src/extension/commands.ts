/** The commands of the palette, the lenses and the light bulb. */

import * as vscode from 'vscode';
import type { AnalysedFiles } from './analysed-files.ts';
import { languages } from './client-options.ts';
import { showGaps } from './gaps.ts';
import type { Panels } from './panels.ts';
import { openRulePage, ruleIds } from './rule-pages.ts';

export interface CommandParts {
  readonly panels: Panels;
  readonly analysed: AnalysedFiles;
}

export function registerCommands(context: vscode.ExtensionContext, { panels, analysed }: CommandParts): void {
  const register = (name: string, run: (...args: unknown[]) => Promise<void>) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, run));

  register('graphmem.showGraph', (uri, entry) =>
    withFile(uri, (file) => panels.show(file, 'graph', textOrUndefined(entry))),
  );
  register('graphmem.simulate', (uri, entry) =>
    withFile(uri, (file) => panels.show(file, 'memory', textOrUndefined(entry))),
  );
  register('graphmem.explainRule', async (rule) => {
    const id = textOrUndefined(rule) ?? ruleAtCursor() ?? (await chooseRule(context));
    if (id !== undefined) await openRulePage(id);
  });
  register('graphmem.showGaps', (uri) => withFile(uri, (file) => showGaps(analysed, file)));
}

/** The file named by a lens or panel; otherwise the one in the active editor. */
async function withFile(argument: unknown, run: (uri: vscode.Uri) => Promise<void>): Promise<void> {
  const uri = uriOf(argument) ?? activeFile();
  if (uri !== undefined) return run(uri);
  void vscode.window.showInformationMessage(
    'Graph Memory: open a CUDA, C++ or TypeScript file that builds graphs, then run this command again.',
  );
}

/** A lens gives text, the editor's title menu and other extensions a `Uri`. */
function uriOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  return typeof argument === 'string' ? vscode.Uri.parse(argument) : undefined;
}

function activeFile(): vscode.Uri | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find((editor) => editor !== undefined && languages.includes(editor.document.languageId))?.document.uri;
}

function ruleAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return undefined;
  const here = vscode.languages
    .getDiagnostics(editor.document.uri)
    .find(({ source, range }) => source === 'graphmem' && range.contains(editor.selection.active));
  const code = here?.code;
  const id = typeof code === 'object' ? code.value : code;
  return id === undefined ? undefined : String(id);
}

async function chooseRule(context: vscode.ExtensionContext): Promise<string | undefined> {
  const ids = await ruleIds(context);
  if (ids.length > 0) return vscode.window.showQuickPick(ids, { title: 'Explain a rule' });
  void vscode.window.showInformationMessage('Graph Memory: the rules’ pages are missing from this installation.');
  return undefined;
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
