/**
 * Runs the extension host suite inside a real VS Code: `node test/host/run.mjs node|web`.
 *
 *     node  the Node extension host: code-server from npm, or desktop VS Code where it can be downloaded
 *     web   the web worker extension host, as on vscode.dev
 *
 * `GRAPHMEM_DESKTOP=1` asks for desktop VS Code through @vscode/test-electron. `GRAPHMEM_EXTENSION` names the folder of an
 * unpacked .vsix to test instead of this checkout. `GRAPHMEM_KEEP=1` keeps the profile and its logs.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildAll } from '../../scripts/build.mjs';
import { openBrowser, runTestsIn, workbenchAddress } from './harness/browser.mjs';
import { bundleSuite } from './harness/bundle.mjs';
import { runOnDesktop } from './harness/desktop.mjs';
import { root, work } from './harness/places.mjs';
import { clearReport, writeReport } from './harness/report.mjs';
import { requireChromium, requireHost } from './harness/requirements.mjs';
import { startServer } from './harness/server.mjs';
import { startWebProxy } from './harness/web-proxy.mjs';

const kind = process.argv[2];
const suite = kind === 'web' ? 'web' : 'host';
const patience = Number(process.env.GRAPHMEM_PATIENCE ?? 240) * 1000;
const resultFile = path.join(work, `result-${suite}.json`);
const extension = path.resolve(process.env.GRAPHMEM_EXTENSION ?? root);

async function main() {
  if (kind !== 'node' && kind !== 'web') throw new Error('say which extension host: node or web');
  const started = Date.now();
  clearReport(suite);
  rmSync(resultFile, { force: true });
  if (process.env.GRAPHMEM_BUILT !== '1') await buildAll();
  const bundles = await bundleSuite();
  const desktop = kind === 'node' && process.env.GRAPHMEM_DESKTOP === '1';
  const { code, lines } = desktop
    ? await runOnDesktop({ extension, tests: `${bundles.node}.js`, resultFile })
    : await runInBrowser(bundles);
  const result = kind === 'web' ? resultFromConsole(lines) : resultFromFile();
  report({ code, lines, result, seconds: (Date.now() - started) / 1000 });
}

async function runInBrowser(bundles) {
  requireChromium();
  requireHost();
  const server = await startServer({ environment: { GRAPHMEM_TEST_RESULT: resultFile } });
  const { browser, page } = await openBrowser();
  const proxy =
    kind === 'web' ? await startWebProxy({ target: server.port, extension, suite: bundles.web }) : undefined;
  try {
    const remote = (file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
    const address =
      proxy === undefined
        ? workbenchAddress(server.port, server.folder, [
            ['extensionDevelopmentPath', remote(extension)],
            ['extensionTestsPath', remote(`${bundles.node}.js`)],
          ])
        : workbenchAddress(proxy.port, server.folder);
    return await runTestsIn(page, address, { patience, onLog: echo });
  } finally {
    await browser.close();
    await proxy?.stop();
    await server.stop({ keep: process.env.GRAPHMEM_KEEP === '1' });
  }
}

/** The suite's own lines; the workbench's chatter is kept for the case of failure. */
function echo(line) {
  const own = /^(?:log|info|error|warn)?:? ?.*?\[suite\] (.*)$/s.exec(line);
  if (own && !line.startsWith('console')) console.log(own[1]);
}

function resultFromFile() {
  return existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')) : undefined;
}

/** A worker has no files: its result is a line of its console. */
function resultFromConsole(lines) {
  const line = lines.findLast((each) => each.includes('GRAPHMEM_TEST_RESULT '));
  if (line === undefined) return undefined;
  return JSON.parse(line.slice(line.indexOf('GRAPHMEM_TEST_RESULT ') + 'GRAPHMEM_TEST_RESULT '.length));
}

/** Exit code and result must agree, and at least one test must have run. */
function report({ code, lines, result, seconds }) {
  const passed = result?.passed ?? 0;
  const failed = result?.failures.length ?? 0;
  for (const { title, error } of result?.failures ?? []) console.error(`\nFAILED ${title}\n${error}`);
  const trouble = troubleOf({ code, result, passed });
  if (trouble !== undefined) {
    const log = path.join(work, `console-${suite}.txt`);
    writeFileSync(log, `${lines.join('\n')}\n`);
    console.error(`\n${suite}: ${trouble}; the last lines of ${log}:\n  ${lines.slice(-25).join('\n  ')}`);
  }
  writeReport(suite, { passed, failed: failed + (trouble === undefined ? 0 : 1), seconds });
  console.log(
    `${suite} (${result?.host ?? 'no answer'}): ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s`,
  );
  for (const [name, value] of Object.entries(result?.measures ?? {})) console.log(`  ${name}: ${value}`);
  process.exitCode = failed > 0 || trouble !== undefined ? 1 : 0;
}

function troubleOf({ code, result, passed }) {
  if (result === undefined) return `the suite left no result (exit code ${code})`;
  if (passed + result.failures.length === 0) return 'no test was executed';
  if (!result.host.includes(kind === 'web' ? 'worker' : 'node'))
    return `the suite ran in the wrong host (${result.host})`;
  if (result.failures.length === 0 && code !== 0) return `all tests passed but the host ended with ${code}`;
  return undefined;
}

try {
  await main();
} catch (error) {
  console.error(`${suite}: ${error instanceof Error ? error.stack : error}`);
  writeReport(suite, { passed: 0, failed: 1, seconds: 0 });
  process.exitCode = 1;
}
