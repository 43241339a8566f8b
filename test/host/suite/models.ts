/** The editor knows the words of model files. */

import * as vscode from 'vscode';
import { isTrue, until } from './check.ts';
import { closeAll, open, positionOf } from './workspace.ts';

suite('models', () => {
  suiteTeardown(closeAll);

  test('a model file is checked, and its words are explained', async () => {
    const { document } = await open('pool.graphmem.json');
    const said = await until('a word that does not fit is said', () => {
      const all = vscode.languages.getDiagnostics(document.uri);
      return all.length > 0 && all;
    });
    const [first] = said;
    isTrue(
      said.length === 1 && first?.range.start.line === 3,
      `said: ${said.map(({ message }) => message).join(' / ')}`,
    );
    for (const [word, meaning] of [
      ['memory.freeAsync', /Frees memory in the order of a stream/],
      ['"stream"', /The stream;.*is the default stream/],
    ] as const) {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        positionOf(document, word, 1),
      );
      const text = hovers
        .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
        .join('\n');
      isTrue(meaning.test(text), `of ${word} is said: ${text || 'nothing'}`);
    }
  });
});
