/**
 * The browser-driven suite: packs the extension, installs it into a real VS Code, and does what a person would do.
 * Pictures go to `test/.work/shots`, or to the folder in `GRAPHMEM_SHOTS` (the README's are made with `docs/images`).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildAll } from '../../scripts/build.mjs';
import { openBrowser, workbenchAddress } from '../host/harness/browser.mjs';
import { root, work } from '../host/harness/places.mjs';
import { clearReport, writeReport } from '../host/harness/report.mjs';
import { requireChromium, requireHost } from '../host/harness/requirements.mjs';
import { startServer } from '../host/harness/server.mjs';
import { within } from '../host/harness/time.mjs';
import { createEditor, themes } from './editor.mjs';
import { story } from './story.mjs';

const suite = 'e2e';
const shots = path.resolve(root, process.env.GRAPHMEM_SHOTS ?? path.join(work, 'shots'));
const stepPatience = 60_000;
const started = Date.now();
let passed = 0;
let failed = 0;

async function main() {
  clearReport(suite);
  mkdirSync(shots, { recursive: true });
  requireChromium();
  requireHost();
  if (process.env.GRAPHMEM_BUILT !== '1') await buildAll();
  const server = await startServer({
    vsix: pack(),
    extraSettings: { 'workbench.colorTheme': themes[0].title },
  });
  const { browser, context, page } = await openBrowser({ width: 1600, height: 1000 });
  const outside = watchRequests(context);
  page.setDefaultTimeout(15_000);
  try {
    const editor = createEditor(page);
    const scene = { editor, page, outside, shot: (name) => page.screenshot({ path: path.join(shots, `${name}.png`) }) };
    await page.goto(workbenchAddress(server.port, server.folder), { waitUntil: 'domcontentloaded' });
    await editor.ready();
    for (const [title, act] of story(scene)) await step(title, act, page);
  } finally {
    await browser.close();
    await server.stop({ keep: process.env.GRAPHMEM_KEEP === '1' });
  }
}

async function step(title, act, page) {
  const began = Date.now();
  try {
    await within(stepPatience, title, act());
    passed++;
    console.log(`  ok ${title} (${Date.now() - began} ms)`);
  } catch (error) {
    failed++;
    const picture = path.join(work, `failed-${failed}.png`);
    await page.screenshot({ path: picture }).catch(() => {});
    console.error(
      `  FAILED ${title}\n    ${error instanceof Error ? error.message : error}\n    as it looked: ${picture}`,
    );
  }
}

/** The packed extension: what is tested is what ships. */
function pack() {
  const vsix = path.join(work, 'graphmem.vsix');
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const args = [
    vsce,
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
    '--allow-missing-repository',
    '--out',
    vsix,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the extension could not be packed:\n${stdout}${stderr}`);
  console.log(/Packaged: .*\((.*)\)/.exec(stdout)?.[1] ?? 'packed');
  return vsix;
}

/** Addresses that the workbench or the panel asked for on other machines. */
function watchRequests(context) {
  const outside = new Set();
  context.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    // The panel's files have such names, but the workbench's service worker answers for them.
    const isPanel = hostname.endsWith('.vscode-resource.vscode-cdn.net');
    if (/^(https?|wss?):$/.test(protocol) && hostname !== '127.0.0.1' && !isPanel) outside.add(href);
  });
  return outside;
}

try {
  await main();
} catch (error) {
  failed++;
  console.error(`${suite}: ${error instanceof Error ? error.stack : error}`);
}
if (passed + failed === 0) {
  failed++;
  console.error(`${suite}: no step was executed`);
}
const seconds = (Date.now() - started) / 1000;
writeReport(suite, { passed, failed, seconds });
console.log(
  `${suite}: ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s; pictures in ${path.relative(root, shots)}`,
);
process.exit(failed > 0 ? 1 : 0);
