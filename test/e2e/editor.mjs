/** What a person does with the editor, in terms of its page. */
/** `page` shows a workbench. */
export function createEditor(page) {
  const editor = {
    page,

    /** Waits until the workbench can be used. */
    async ready() {
      await page.locator('.monaco-workbench .part.editor').waitFor({ timeout: 60_000 });
      await page.locator('.statusbar-item').first().waitFor();
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
    async palette(title, { opensPicker = false } = {}) {
      await page.keyboard.press('F1');
      await editor.quickInput(`>${title}`);
      const name = page.locator('.label-name').filter({ hasText: new RegExp(`^${title}$`) });
      await page.locator('.quick-input-list .monaco-list-row').filter({ has: name }).first().click();
      if (!opensPicker) await editor.quickInputGone();
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

    /** Gives the keyboard to the text in the first group. */
    async focusText() {
      await page.keyboard.press('Control+1');
      await page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
    },

    /** The line of the cursor in the first editor, also while another part has the focus. */
    async activeLine() {
      return Number(await page.locator('.editor-instance .active-line-number').first().textContent());
    },

    /**
     * Points at the target until what it shows is there: the text may still scroll when the pointer comes. Squiggles lie under
     * the text, so that a plain `hover()` would find the text in its way.
     */
    async hover(target, shown) {
      for (let attempt = 0; attempt < 6; attempt++) {
        const { x, y, width, height } = await boxOf(target);
        await page.mouse.move(x + width / 2 + 1, y + height / 2);
        await page.mouse.move(x + width / 2, y + height / 2);
        try {
          await shown.waitFor({ timeout: 3_000 });
          return;
        } catch {
          await page.mouse.move(x + width / 2, y + height / 2 + 200);
        }
      }
      await shown.waitFor();
    },

    /** The innermost page of the webview, where the panel lives. */
    panel() {
      return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    },

    /** Chooses the colour theme as a person does. (Files are not watched here, so settings cannot be changed on disk.) */
    async theme({ title, cssClass }) {
      await editor.palette('Preferences: Color Theme', { opensPicker: true });
      await editor.quickInput(title);
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor();
      await page.keyboard.press('Enter');
      await editor.quickInputGone();
      await page.locator(`.monaco-workbench.${cssClass}`).waitFor();
      // Out of the way, so that no tooltip is in the picture; the panel's variables follow a moment later.
      await page.mouse.move(800, 995);
      await page.waitForTimeout(400);
    },
  };
  return editor;
}

export const themes = [
  { name: 'dark', title: 'Dark Modern', cssClass: 'vs-dark' },
  { name: 'light', title: 'Light Modern', cssClass: 'vs' },
  { name: 'high-contrast', title: 'Default High Contrast', cssClass: 'hc-black' },
];

/** The box of what is on the screen; the editor draws its lines anew while it scrolls, and then there is none for a moment. */
async function boxOf(target) {
  for (let round = 0; ; round++) {
    await target.waitFor();
    const box = await target.boundingBox();
    if (box) return box;
    if (round === 50) throw new Error('what should be pointed at has no place on the screen');
    await target.page().waitForTimeout(100);
  }
}
