/** Diagnostics follow the text, saved or not; the light bulb repairs; nothing typed can kill the server. */

import * as vscode from 'vscode';
import { isTrue } from './check.ts';
import { measure } from './measures.ts';
import { closeAll, diagnosticsWhen, open, replace, ruleOf } from './workspace.ts';

const race = 'graph-use-free-race';
const early = 'graph-use-before-alloc';

suite('editing', () => {
  teardown(closeAll);

  test('a mistake disappears while its repair is typed, and comes back when it is undone', async () => {
    const editor = await open('unordered.cu');
    const { uri } = editor.document;
    await diagnosticsWhen(uri, (all) => all.some((each) => ruleOf(each) === early));
    const started = performance.now();
    await replace(editor, '&e, graph, nullptr, 0', '&e, graph, &allocNode, 1');
    await diagnosticsWhen(uri, (all) => !all.some((each) => ruleOf(each) === early));
    measure('edit to changed diagnostics, in the editor', performance.now() - started);
    isTrue(editor.document.isDirty, 'the text should be unsaved');
    await vscode.commands.executeCommand('undo');
    await diagnosticsWhen(uri, (all) => all.some((each) => ruleOf(each) === early));
  });

  test('the light bulb adds the missing dependency', async () => {
    const editor = await open('unordered.cu');
    const { uri } = editor.document;
    const found = await diagnosticsWhen(uri, (all) => all.some((each) => ruleOf(each) === race));
    const mistake = found.find((each) => ruleOf(each) === race)!;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      mistake.range,
    );
    const repair = actions.find(({ isPreferred, edit }) => isPreferred && edit !== undefined);
    isTrue(repair?.edit !== undefined, `no repair among: ${actions.map(({ title }) => title).join(', ')}`);
    isTrue(
      actions.some(({ title }) => title === `Explain ${race}`),
      'the explanation is not offered',
    );
    isTrue(await vscode.workspace.applyEdit(repair.edit), 'the repair was refused');
    await diagnosticsWhen(uri, (all) => !all.some((each) => ruleOf(each) === race));
  });

  test('half-typed code does not end the server', async () => {
    const editor = await open('unordered.cu');
    const { uri } = editor.document;
    await diagnosticsWhen(uri, (all) => all.length > 0);
    for (const junk of ['cudaGraphAddKernelNode(&', '{{{((', '#if 0\n', '"\0\u{1f600}', 'for (;;) {']) {
      await replace(editor, '  cudaGraphExec_t program;', `  ${junk}\n  cudaGraphExec_t program;`);
      await replace(editor, `  ${junk}\n  cudaGraphExec_t`, '  cudaGraphExec_t');
    }
    await diagnosticsWhen(uri, (all) => all.some((each) => ruleOf(each) === race));
  });

  test('a document that was never saved is read as well', async () => {
    const source = (await open('unordered.cu')).document.getText();
    const document = await vscode.workspace.openTextDocument({ language: 'cuda-cpp', content: source });
    await vscode.window.showTextDocument(document);
    await diagnosticsWhen(document.uri, (all) => all.length >= 2);
  });

  test('an included header takes part, and its unsaved text counts', async () => {
    const { uri } = (await open('buffers.cuh')).document;
    await open('includes.cu');
    await diagnosticsWhen(uri, (all) => all.some((each) => ruleOf(each) === early));
    await replace(await open('buffers.cuh'), '&filled, graph, nullptr, 0', '&filled, graph, &allocated, 1');
    await diagnosticsWhen(uri, (all) => all.length === 0);
  });
});
