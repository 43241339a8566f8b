/** The last thing the server said about each file: how many violations, what was not understood. */

import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { type AnalysedParams, analysedNotification } from '../scene/requests.ts';

export interface AnalysedFiles extends vscode.Disposable {
  readonly get: (uri: vscode.Uri) => AnalysedParams | undefined;
  readonly onDidChange: vscode.Event<AnalysedParams>;
  /** Call before the client is started, so that nothing is missed. */
  readonly listen: (client: BaseLanguageClient) => void;
}

export function createAnalysedFiles(): AnalysedFiles {
  const files = new Map<string, AnalysedParams>();
  const changes = new vscode.EventEmitter<AnalysedParams>();
  const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => files.delete(uri.toString()));
  return {
    get: (uri) => files.get(uri.toString()),
    onDidChange: changes.event,
    listen(client) {
      client.onNotification(analysedNotification, (params: AnalysedParams) => {
        files.set(vscode.Uri.parse(params.uri).toString(), params);
        changes.fire(params);
      });
    },
    dispose() {
      closing.dispose();
      changes.dispose();
    },
  };
}
