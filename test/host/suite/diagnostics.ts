/** What a person reads: squiggles with rule, page and places; hovers; lenses. */

import * as vscode from 'vscode';
import { isTrue, same } from './check.ts';
import { closeAll, diagnosticsWhen, open, ours, positionOf, ruleOf } from './workspace.ts';

suite('reading', () => {
  suiteTeardown(closeAll);

  test('a kernel beside the free and a kernel before the allocation are found, where they are added', async () => {
    const { document } = await open('unordered.cu');
    const found = await diagnosticsWhen(document.uri, (all) => all.length >= 2);
    const lines = found.map((each) => `${ruleOf(each)}: ${document.lineAt(each.range.start.line).text.trim()}`);
    same(
      lines.sort(),
      [
        'graph-use-before-alloc: cudaGraphAddKernelNode(&e, graph, nullptr, 0, &kernel);',
        'graph-use-free-race: cudaGraphAddKernelNode(&d, graph, &c, 1, &kernel);',
      ],
      'findings',
    );
  });

  test('each carries its severity, its page and the places that take part', async () => {
    const { document } = await open('unordered.cu');
    const [first] = await diagnosticsWhen(document.uri, (all) => all.length >= 2);
    same(first?.severity, vscode.DiagnosticSeverity.Error, 'severity');
    isTrue(typeof first?.code === 'object' && first.code.target.toString() !== '', 'the rule has no page');
    isTrue((first.relatedInformation?.length ?? 0) > 0, 'no related places');
    isTrue(first.message.length > 40, `the message says too little: ${first.message}`);
  });

  test('the same program in order has none, a file without CUDA neither', async () => {
    for (const name of ['ordered.cu', 'plain.cpp']) {
      const { document } = await open(name);
      await new Promise((resolve) => setTimeout(resolve, 500));
      same(
        ours(document.uri).map(({ message }) => message),
        [],
        name,
      );
    }
  });

  test('the hover of a device pointer tells of its memory', async () => {
    const { document } = await open('unordered.cu');
    await diagnosticsWhen(document.uri, (all) => all.length > 0);
    const position = positionOf(document, 'data = (float *)', 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const text = hovers.flatMap(({ contents }) =>
      contents.map((each) => (typeof each === 'string' ? each : each.value)),
    );
    isTrue(/64 MiB|67,?108,?864/.test(text.join('\n')), `the hover says: ${text.join(' / ') || 'nothing'}`);
  });

  test('the lens above main counts nodes, peak and violations', async () => {
    const { document } = await open('unordered.cu');
    await diagnosticsWhen(document.uri, (all) => all.length > 0);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    const titles = lenses.map(({ command }) => command?.title ?? '');
    same(titles, ['graph: 7 nodes · peak 64 MiB · 2 violations', 'Show graph', 'Simulate'], 'lenses');
    const line = lenses[0]?.range.start.line ?? 0;
    same(document.lineAt(line).text, 'int main() {', 'the line of the lens');
  });

  test('a graph written in TypeScript is read as well', async () => {
    const { document } = await open('examples/planned-memory.ts');
    same(document.languageId, 'typescript', 'language');
    await diagnosticsWhen(document.uri, (all) => all.some((each) => ruleOf(each) === 'graph-use-free-race'));
  });
});
