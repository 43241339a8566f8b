/** The extension starts when it is wanted, and offers what it promises. */

import * as vscode from 'vscode';
import { isTrue, until } from './check.ts';
import { measure } from './measures.ts';
import { closeAll, extensionId, open, ours } from './workspace.ts';

suite('activation', () => {
  suiteTeardown(closeAll);

  test('opening a .cu file activates the extension, and its mistakes appear', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    isTrue(extension !== undefined, 'the extension is not installed');
    const started = performance.now();
    const editor = await open('unordered.cu');
    isTrue(editor.document.languageId === 'cuda-cpp', `the language is ${editor.document.languageId}`);
    await until('activation', () => extension.isActive);
    measure('activation (file opened to active)', performance.now() - started);
    await until('the first diagnostics', () => ours(editor.document.uri).length > 0);
    measure('file opened to first diagnostics', performance.now() - started);
  });

  test('the commands are there under their names', async () => {
    const commands = await vscode.commands.getCommands(true);
    for (const name of ['showGraph', 'simulate', 'explainRule', 'showGaps']) {
      isTrue(commands.includes(`graphmem.${name}`), `graphmem.${name} is missing`);
    }
    const contributed = vscode.extensions.getExtension(extensionId)?.packageJSON.contributes.commands as {
      category: string;
      title: string;
    }[];
    const titles = contributed.map(({ category, title }) => `${category}: ${title}`);
    for (const title of [
      'Graph Memory: Show Graph',
      'Graph Memory: Run Memory Simulation',
      'Graph Memory: Explain Rule',
      'Graph Memory: Show What Was Not Understood',
    ]) {
      isTrue(titles.includes(title), `"${title}" is not in the palette`);
    }
  });
});
