/** The settings take effect at once. */

import * as vscode from 'vscode';
import { closeAll, diagnosticsWhen, open } from './workspace.ts';

suite('settings', () => {
  suiteTeardown(async () => {
    await set('enable', undefined);
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
});

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('graphmem').update(name, value, vscode.ConfigurationTarget.Global);
}
