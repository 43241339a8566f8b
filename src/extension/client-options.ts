/** Which documents the server sees, and what it is told at the start. */

import * as vscode from 'vscode';
import type { LanguageClientOptions } from 'vscode-languageclient';
import type { Configuration } from './settings.ts';

export const languages = ['cuda-cpp', 'cuda', 'cpp', 'c', 'typescript'];

/** Places where people edit. Not among them: old revisions (`git:`), output, our own pages. */
const schemes = [
  'file',
  'untitled',
  'vscode-remote',
  'vscode-vfs',
  'vscode-test-web',
  'vsls',
  'memfs',
  'http',
  'https',
];

/** Files that others read: a change of theirs on disk matters to open documents. */
const watched = '**/{*.{cu,cuh,h,hpp,hh,hxx,ts,mts,cts},compile_commands.json}';

export function clientOptions(context: vscode.ExtensionContext, configuration: Configuration): LanguageClientOptions {
  const watcher = vscode.workspace.createFileSystemWatcher(watched);
  context.subscriptions.push(watcher);
  return {
    documentSelector: documentSelector(),
    synchronize: { fileEvents: watcher },
    initializationOptions: { ...configuration, commands: true },
    markdown: { isTrusted: false, supportHtml: false },
  };
}

function documentSelector(): { scheme: string; language: string }[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  const all = [...new Set([...schemes, ...folders])];
  return all.flatMap((scheme) => languages.map((language) => ({ scheme, language })));
}
