/** The panel and the pages, as far as the extension's side can see them; the browser-driven suite looks inside. */

import * as vscode from 'vscode';
import { isTrue, same, until } from './check.ts';
import { closeAll, diagnosticsWhen, open } from './workspace.ts';

suite('panel', () => {
  teardown(closeAll);

  test('Show Graph opens one panel a file, beside the editor', async () => {
    const { document } = await open('unordered.cu');
    await diagnosticsWhen(document.uri, (all) => all.length > 0);
    await vscode.commands.executeCommand('graphmem.showGraph');
    const [panel] = await until('the panel', panelsOrNone);
    same(panel?.label, 'Graph Memory: unordered.cu', 'title');
    isTrue(panel?.group.viewColumn === vscode.ViewColumn.Two, 'the panel is not beside the editor');
    await vscode.commands.executeCommand('graphmem.simulate', document.uri.toString());
    await vscode.commands.executeCommand('graphmem.showGraph', document.uri);
    same(panels().length, 1, 'panels of one file');
    await open('ordered.cu');
    await vscode.commands.executeCommand('graphmem.showGraph');
    await until('the second file’s panel', () => panels().length === 2);
  });

  test('Explain Rule opens the rule’s page inside the editor', async () => {
    await open('unordered.cu');
    await vscode.commands.executeCommand('graphmem.explainRule', 'graph-use-free-race');
    await until('the page', () => tabs().some(({ label }) => label.includes('graph-use-free-race')));
  });

  test('commands say what is missing instead of failing', async () => {
    await vscode.commands.executeCommand('graphmem.showGraph');
    same(panels().length, 0, 'panels without a file');
    await open('plain.cpp');
    await vscode.commands.executeCommand('graphmem.showGaps');
  });
});

function tabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => [...group.tabs]);
}

function panels(): vscode.Tab[] {
  return tabs().filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('graphmem.panel'),
  );
}

function panelsOrNone(): vscode.Tab[] | undefined {
  const found = panels();
  return found.length > 0 ? found : undefined;
}
