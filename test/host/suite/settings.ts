/** The settings take effect at once. */

import * as vscode from 'vscode';
import { closeAll, diagnosticsWhen, open } from './workspace.ts';

suite('settings', () => {
  suiteTeardown(async () => {
    await set('enable', undefined);
    await set('models', undefined);
    await closeAll();
  });

  test('graphmem.enable switches the analysis off and on', async () => {
    const { document } = await open('unordered.cu');
    await diagnosticsWhen(document.uri, (all) => all.length > 0);
    await set('enable', false);
    await diagnosticsWhen(document.uri, (all) => all.length === 0);
    await set('enable', undefined);
    await diagnosticsWhen(document.uri, (all) => all.length > 0);
  });

  test('a model file counts as it is saved', async () => {
    await set('models', ['models.json']);
    const { document } = await open('modelled.cpp');
    const models = (await open('models.json')).document;
    const rows = [
      {
        name: 'takeMemory',
        effects: [{ verb: 'memory.allocateAsync', pointer: 'return', bytes: ['arg0'], stream: 'arg1' }],
      },
      { name: 'giveMemory', effects: [{ verb: 'memory.freeAsync', pointer: 'arg0', stream: 'arg1' }] },
    ];
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, models.lineCount, 0);
    edit.replace(models.uri, whole, JSON.stringify({ rows }));
    await vscode.workspace.applyEdit(edit);
    await models.save();
    await diagnosticsWhen(document.uri, (all) => all.some(({ message }) => message.includes('already been freed')));
  });
});

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('graphmem').update(name, value, vscode.ConfigurationTarget.Global);
}
