/** The list of what the analysis did not understand; choosing one shows its code. */

import * as vscode from 'vscode';
import type { AnalysedParams } from '../scene/requests.ts';
import type { AnalysedFiles } from './analysed-files.ts';
import { revealPlace } from './reveal-place.ts';

type Gap = AnalysedParams['gaps'][number];

export async function showGaps(analysed: AnalysedFiles, uri: vscode.Uri): Promise<void> {
  const file = analysed.get(uri);
  if (file === undefined) {
    void vscode.window.showInformationMessage('Graph Memory: this file has not been analysed.');
    return;
  }
  if (file.gaps.length === 0) {
    void vscode.window.showInformationMessage(
      'Graph Memory: no gaps, everything that was reached in this file was understood.',
    );
    return;
  }
  const items = file.gaps.map((gap) => ({ ...itemOf(gap), gap }));
  const title = `Not understood: ${file.gaps.length} ${file.gaps.length === 1 ? 'place' : 'places'}`;
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  if (chosen === undefined) return;
  await revealPlace({ file: uri.toString(), range: chosen.gap.range }, false, undefined);
}

function itemOf({ kind, name, range }: Gap): vscode.QuickPickItem {
  return { label: name, description: `line ${range.start.line}`, detail: kind };
}
