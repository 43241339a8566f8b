/** The panel's HTML: a shell without a word of script or style in it. Everything else is the view's. */

import * as vscode from 'vscode';

/** Folders a panel may load from. */
export function resourceRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * Scripts run by nonce only; workers only from the blob that the view makes of the layout worker's text, which it fetches
 * from our own folder. Nothing else is reachable.
 */
export function panelPage(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const resource = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const nonce = createNonce();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data: blob:`,
    `connect-src ${webview.cspSource}`,
    'worker-src blob:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${resource('media', 'panel.css')}">
<title>Graph Memory</title>
</head>
<body>
<div id="graphmem" data-layout-worker="${resource('dist', 'layout-worker.js')}"></div>
<script nonce="${nonce}" src="${resource('dist', 'view.js')}"></script>
</body>
</html>`;
}

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
