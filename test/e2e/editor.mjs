/** What a person does with the editor, in terms of its page. */
import { writeFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../host/harness/time.mjs';

/** `page` shows a workbench; `settingsFile` is the profile's. */
export function createEditor(page, settingsFile) {
  const editor = {
    page,

    /** Waits until the workbench can be used. */
    async ready() {
      await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
      await page.locator('.explorer-folders-view, .part.sidebar').first().waitFor();
      await page.keyboard.press('Escape');
    },

    async quickInput(text) {
      const input = page.locator('.quick-input-widget input').first();
      await input.waitFor({ state: 'visible' });
      await input.fill(text);
      return input;
    },

    async quickInputGone() {
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    },

    /** Runs a command of the palette by its full title. */
    async palette(title) {
      await page.keyboard.press('F1');
      await editor.quickInput(`>${title}`);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
      await page.keyboard.press('Enter');
      await editor.quickInputGone();
    },

    async openFile(name) {
      await page.keyboard.press('Control+P');
      await editor.quickInput(name);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
      await page.keyboard.press('Enter');
      await editor.quickInputGone();
      await page.locator('.tab', { hasText: name }).first().waitFor();
      await page.locator('.editor-instance .view-lines').first().waitFor();
    },

    /** Moves the cursor to a 1-based place. */
    async goTo(line, column = 1) {
      await page.keyboard.press('Control+G');
      await editor.quickInput(`:${line}:${column}`);
      await page.keyboard.press('Enter');
      await editor.quickInputGone();
    },

    /** `Ln 8, Col 3` of the status bar, selections included, as numbers. */
    async cursor() {
      const text = await page.locator('.statusbar-item', { hasText: /^Ln / }).first().innerText();
      const [, line, column] = /Ln (\d+), Col (\d+)/.exec(text) ?? [];
      return { line: Number(line), column: Number(column) };
    },

    /** The innermost page of the webview, where the panel lives. */
    panel() {
      return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    },

    async theme(name) {
      const settings = JSON.parse(readFileSync(settingsFile, 'utf8'));
      writeFileSync(settingsFile, JSON.stringify({ ...settings, 'workbench.colorTheme': name.title }));
      await until(`the theme ${name.title}`, () =>
        page.locator(`.monaco-workbench.${name.cssClass}`).count().then((count) => count > 0),
      );
      // The panel's variables follow a moment later.
      await page.waitForTimeout(400);
    },

    async focusText() {
      await page.locator('.editor-instance .view-lines').first().click({ position: { x: 400, y: 5 } });
    },
  };
  return editor;
}

export const themes = [
  { name: 'dark', title: 'Default Dark Modern', cssClass: 'vs-dark' },
  { name: 'light', title: 'Default Light Modern', cssClass: 'vs' },
  { name: 'high-contrast', title: 'Default High Contrast', cssClass: 'hc-black' },
];

/** Where a profile keeps its settings. */
export function settingsFileOf(profile) {
  return path.join(profile, 'data', 'User', 'settings.json');
}
