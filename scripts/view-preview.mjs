/**
 * Pictures of the panel for people who work on it: bundles the view, makes a page of each scene in `test/view-fixtures`, and
 * photographs it in Chromium, in every theme and two sizes. `node scripts/view-preview.mjs [OUT] [--only NAME]`. With `--check`
 * it makes a person's main acts instead (test/view-fixtures/check.mjs) and fails when one does not do what it should.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { checks } from '../test/view-fixtures/check.mjs';
import { themes } from '../test/view-fixtures/themes.mjs';

const root = new URL('..', import.meta.url).pathname;
const out =
  process.argv[2] && !process.argv[2].startsWith('--') ? process.argv[2] : join(root, 'test/.work/view-preview');
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : '';
mkdirSync(out, { recursive: true });

const script = await bundle('src/view/main.ts');
const worker = await bundle('src/view/layout-worker.ts');
const { htmlPage, scenes } = await loadScenes();
const css = readFileSync(join(root, 'media/panel.css'), 'utf8');
console.log(`view.js ${kib(script)}, layout-worker.js ${kib(worker)}, panel.css ${kib(css)}`);

const { server, port } = await serve();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  ),
});
const sizes = {
  wide: { width: 1100, height: 800 },
  tall: { width: 700, height: 900 },
  phone: { width: 500, height: 900 },
};

if (process.argv.includes('--check')) await check();
else await photograph();
await browser.close();
server.close();

async function photograph() {
  for (const shot of shots()) {
    if (only && !shot.name.includes(only)) continue;
    const page = await browser.newPage({ viewport: sizes[shot.size ?? 'wide'], colorScheme: shot.scheme ?? 'dark' });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') console.log(`${shot.name}: ${message.text()}`);
    });
    page.on('pageerror', (error) => console.log(`${shot.name}: ${error.stack}`));
    await page.goto(`http://127.0.0.1:${port}/${shot.page}?theme=${shot.theme ?? 'dark'}${shot.query ?? ''}`);
    await settled(page);
    await shot.act?.(page);
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(out, `${shot.name}.png`) });
    await page.close();
  }
  console.log(out);
}

async function check() {
  const send = async (page, message) => {
    await page.evaluate((data) => window.postMessage(data, '*'), message);
    await page.waitForTimeout(150);
  };
  for (const [name, run] of Object.entries(checks)) {
    if (only && !name.includes(only)) continue;
    const complaints = [];
    const pages = [];
    const open = async (scene, options = {}) => {
      const page = await browser.newPage({ viewport: sizes.wide });
      pages.push(page);
      page.setDefaultTimeout(15_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !options.quiet) complaints.push(message.text());
      });
      if (options.saved)
        await page.addInitScript((saved) => {
          window.recalled = saved;
        }, options.saved);
      await page.goto(`http://127.0.0.1:${port}/${scene}?worker=${options.worker ?? '/layout-worker.js'}`);
      await settled(page);
      if (options.wait) await page.waitForTimeout(options.wait);
      return page;
    };
    try {
      await run({ open, send });
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
      console.log(`ok    ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
    for (const page of pages) await page.close();
  }
}

/** Until the layout, which a worker makes, is on the page. */
async function settled(page) {
  await page.waitForTimeout(300);
  await page.getByText('Laying out…').first().waitFor({ state: 'hidden', timeout: 30_000 });
  await page.waitForTimeout(400);
}

function shots() {
  const send = (message) => (page) => page.evaluate((data) => window.postMessage(data, '*'), message);
  const list = [
    { name: 'chapter-dark', page: 'chapterExample' },
    { name: 'chapter-light', page: 'chapterExample', theme: 'light' },
    { name: 'chapter-hc', page: 'chapterExample', theme: 'hc', act: (page) => page.click('.violations') },
    { name: 'chapter-hc-light', page: 'chapterExample', theme: 'hcLight', act: (page) => page.click('.violations') },
    { name: 'chapter-finding', page: 'chapterExample', act: (page) => page.click('.violations') },
    { name: 'chapter-finding-light', page: 'chapterExample', theme: 'light', act: (page) => page.click('.violations') },
    {
      name: 'chapter-finding2',
      page: 'chapterExample',
      act: async (page) => {
        await page.click('.violations');
        await page.click('.violations');
      },
    },
    { name: 'chapter-tall', page: 'chapterExample', size: 'tall' },
    { name: 'chapter-node', page: 'chapterExample', act: (page) => page.click('[data-key="0/5"]') },
    { name: 'chapter-outline', page: 'chapterExample', theme: 'light', act: (page) => page.click('#tab-outline') },
    { name: 'fork-dark', page: 'forkJoin', act: (page) => steps(page, 7) },
    { name: 'fork-light', page: 'forkJoin', theme: 'light', act: (page) => steps(page, 7) },
    { name: 'fork-tall', page: 'forkJoin', size: 'tall', act: (page) => steps(page, 4) },
    {
      name: 'fork-memory',
      page: 'forkJoin',
      act: async (page) => {
        await page.click('text=Memory');
        await steps(page, 7);
      },
    },
    {
      name: 'fork-memory-hc',
      page: 'forkJoin',
      theme: 'hc',
      act: async (page) => {
        await page.click('text=Memory');
        await steps(page, 7);
      },
    },
    {
      name: 'fork-memory-tall',
      page: 'forkJoin',
      size: 'tall',
      theme: 'light',
      act: async (page) => {
        await page.click('text=Memory');
        await page.selectOption('select[aria-label=Graph]', '1');
        await steps(page, 9);
      },
    },
    { name: 'fork-allocation', page: 'forkJoin', act: (page) => page.click('.rail >> nth=0') },
    { name: 'fork-phone', page: 'forkJoin', size: 'phone', act: (page) => steps(page, 4) },
    { name: 'help', page: 'forkJoin', act: (page) => page.keyboard.press('?') },
    { name: 'unusual-dark', page: 'everythingUnusual' },
    { name: 'unusual-light', page: 'everythingUnusual', theme: 'light', act: (page) => page.click('#tab-sizes') },
    {
      name: 'unusual-search',
      page: 'everythingUnusual',
      act: async (page) => {
        await page.keyboard.press('/');
        await page.keyboard.type('small');
        await page.keyboard.press('Enter');
      },
    },
    { name: 'empty-scene', page: 'emptyScene' },
    {
      name: 'state-empty',
      page: 'none',
      act: send({
        kind: 'empty',
        title: 'No CUDA graph in plain.cu',
        detail: 'Open a file that builds a graph, or put the cursor into a function that does.',
      }),
    },
    {
      name: 'state-failed',
      page: 'none',
      theme: 'light',
      act: send({
        kind: 'failed',
        title: 'plain.cu could not be analysed',
        detail: 'The file is binary: byte 0 at offset 12.',
      }),
    },
    {
      name: 'state-progress',
      page: 'none',
      act: send({ kind: 'progress', title: 'Simulating 12,000 launches', fraction: 0.4 }),
    },
    { name: 'state-waiting', page: 'none', theme: 'hc' },
    { name: 'large-dark', page: 'generated300' },
    { name: 'large-all', page: 'generated300', act: (page) => page.click('text=Show all') },
    { name: 'unusual-all', page: 'everythingUnusual', act: (page) => page.click('text=Show all') },
    {
      name: 'fork-simple',
      page: 'generated300',
      query: '&worker=/missing.js',
      act: (page) => page.click('text=Show all'),
    },
    { name: 'large-1200', page: 'generated1200' },
    { name: 'long-run', page: 'longRun12000', act: (page) => steps(page, 30) },
    { name: 'page-dark', page: 'forkJoin.html', act: (page) => steps(page, 7) },
    { name: 'page-light', page: 'chapterExample.html', scheme: 'light' },
  ];
  return list;
}

async function steps(page, count) {
  for (let step = 0; step < count; step++) await page.keyboard.press(']');
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
    logLevel: 'error',
  });
  return result.outputFiles[0].text;
}

async function loadScenes() {
  const result = await build({
    stdin: {
      contents: `export * as scenes from './test/view-fixtures/scenes.ts'; export { htmlPage } from './src/cli/html.ts';`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const file = join(out, 'scenes.mjs');
  writeFileSync(file, result.outputFiles[0].text);
  return import(file);
}

/** Pages as the extension would make them (strict policy, a stand-in for VS Code's messages), and pages that stand alone. */
async function serve() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const name = url.pathname.slice(1);
    const send = (type, body) => {
      response.setHeader('content-type', `${type}; charset=utf-8`);
      response.end(body);
    };
    if (name === 'view.js') send('text/javascript', script);
    else if (name === 'layout-worker.js') send('text/javascript', worker);
    else if (name === 'panel.css') send('text/css', css);
    else if (name === 'favicon.ico') send('image/x-icon', '');
    else if (name.endsWith('.html'))
      send('text/html', htmlPage(sceneOf(name.slice(0, -5)), { css, viewScript: script, layoutScript: worker }));
    else if (name.endsWith('.js')) response.writeHead(404).end();
    else send('text/html', webviewPage(name, url.searchParams));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: server.address().port };
}

function sceneOf(name) {
  const size = /^generated(\d+)$/.exec(name);
  if (size) return scenes.generated(Number(size[1]));
  const run = /^longRun(\d+)$/.exec(name);
  if (run) return scenes.longRun(Number(run[1]));
  return scenes[name]?.();
}

function webviewPage(name, query) {
  const { bodyClass, variables } = themes[query.get('theme') ?? 'dark'];
  const worker = query.get('worker') ?? '/layout-worker.js';
  const scene = sceneOf(name);
  const message = JSON.stringify(scene ? { kind: 'scene', scene } : null).replaceAll('<', '\\u003c');
  const style = Object.entries(variables)
    .map(([key, value]) => `${key}: ${value};`)
    .join('');
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' 'nonce-x'; script-src 'nonce-x'; connect-src 'self'; worker-src blob:">
<style nonce="x">:root{${style}}</style><link rel="stylesheet" href="/panel.css"></head>
<body class="${bodyClass}"><div id="graphmem" data-layout-worker="${worker}"></div>
<script nonce="x">
window.sent = [];
window.acquireVsCodeApi = () => ({
  postMessage(message) {
    window.sent.push(message);
    if (message.kind === 'ready' && ${message}) setTimeout(() => window.postMessage(${message}, '*'), 0);
  },
  setState(state) { window.saved = state; },
  getState() { return window.recalled; },
});
</script><script nonce="x" src="/view.js"></script></body></html>`;
}

function kib(text) {
  return `${Math.round(text.length / 1024)} KiB`;
}
