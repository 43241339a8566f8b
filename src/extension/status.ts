/** The status bar item of the active file: how many violations, and whether all of it was understood. */

import * as vscode from 'vscode';
import type { AnalysedParams } from '../scene/requests.ts';
import type { AnalysedFiles } from './analysed-files.ts';

export function registerStatus(context: vscode.ExtensionContext, analysed: AnalysedFiles): void {
  const item = vscode.window.createStatusBarItem('graphmem.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Graph Memory';

  const update = () => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const file = uri === undefined ? undefined : analysed.get(uri);
    if (file === undefined) {
      item.hide();
      return;
    }
    const { text, tooltip, command } = statusOf(file);
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.backgroundColor =
      file.status === 'quarantined' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };

  context.subscriptions.push(item, analysed.onDidChange(update), vscode.window.onDidChangeActiveTextEditor(update));
  update();
}

interface Status {
  readonly text: string;
  readonly tooltip: string;
  readonly command: string;
}

function statusOf({ findings, gaps, status }: AnalysedParams): Status {
  if (status === 'quarantined') {
    return {
      text: '$(circle-slash) graph memory: set aside',
      tooltip: 'This file could not be analysed. It is tried again when it changes. Click for the Problems panel.',
      command: 'workbench.actions.view.problems',
    };
  }
  const violations = `${findings} ${findings === 1 ? 'violation' : 'violations'}`;
  const icon = findings > 0 ? '$(error)' : '$(pass)';
  if (gaps.length === 0) {
    return {
      text: `${icon} ${violations}`,
      tooltip: `Graph memory: ${violations}. Click to see the graph.`,
      command: 'graphmem.showGraph',
    };
  }
  const places = `${gaps.length} ${gaps.length === 1 ? 'place' : 'places'}`;
  return {
    text: `${icon} ${violations} $(question) ${gaps.length}`,
    tooltip: `Graph memory: ${violations}; ${places} not understood. Click to see the places.`,
    command: 'graphmem.showGaps',
  };
}
