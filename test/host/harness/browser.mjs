/** Chromium with a page that shows the workbench. */
import { format } from 'node:util';
import { chromium } from 'playwright-core';
import { requireChromium } from './requirements.mjs';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

export async function openBrowser({ width = 1400, height = 900 } = {}) {
  const browser = await chromium.launch({ executablePath: requireChromium(), headless: true, args: flags });
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  });
  return { browser, context, page: await context.newPage() };
}

/** The address of the workbench with a folder open and, if wanted, a payload of `[name, value]` pairs. */
export function workbenchAddress(port, folder, payload = []) {
  const query = new URLSearchParams({ folder });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query}`;
}

/**
 * Opens `address` and waits until the workbench says that the tests in its extension host have ended. Returns the exit
 * code and what the host wrote to its console.
 */
export async function runTestsIn(page, address, { patience, onLog = () => {} }) {
  const lines = [];
  const log = (line) => {
    lines.push(line);
    onLog(line);
  };
  const exit = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', (code) => resolve(code));
  });
  await page.exposeFunction('codeAutomationLog', (type, args) => log(`${type}: ${format(...(args ?? []))}`));
  // The workbench repeats its log on the page's console, with colours; the rest is the worker's or the page's own.
  page.on('console', (message) => {
    if (!message.text().startsWith('%c')) log(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => log(`page error: ${error.message}`));
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve('timeout'), patience);
  });
  const code = await Promise.race([exit, late]);
  clearTimeout(timer);
  return { code, lines };
}
