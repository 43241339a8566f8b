/** The same suite in desktop VS Code, downloaded by @vscode/test-electron. For machines that can. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { work } from './places.mjs';
import { copyWorkspace } from './workspace.mjs';

/** `GRAPHMEM_DESKTOP_EXECUTABLE` names an installed VS Code, so that nothing is downloaded. */
export async function runOnDesktop({ extension, tests, resultFile }) {
  mkdirSync(work, { recursive: true });
  const workspace = copyWorkspace(mkdtempSync(path.join(work, 'desktop-workspace-')));
  const options = {
    extensionDevelopmentPath: extension,
    extensionTestsPath: tests,
    cachePath: path.join(work, 'desktop'),
    launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome'],
    extensionTestsEnv: { GRAPHMEM_TEST_RESULT: resultFile },
  };
  const executable = process.env.GRAPHMEM_DESKTOP_EXECUTABLE;
  const all = executable === undefined ? options : { ...options, vscodeExecutablePath: executable };
  try {
    return { code: await runTests(all), lines: [] };
  } catch (error) {
    return { code: 1, lines: [error instanceof Error ? error.message : String(error)] };
  }
}
