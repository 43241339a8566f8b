/**
 * Does the panel do what it shows? A person's main acts, made in a real browser under the webview's policy, with what the view
 * sends to the extension and what stands on the page as witness. Run by `node scripts/view-preview.mjs --check`.
 */

import assert from 'node:assert/strict';

/** `open(name, options)` gives a page with that scene; `send(page, message)` plays the extension. */
export const checks = {
  async 'a click on a node opens its code beside and shows it in the inspector'({ open }) {
    const page = await open('chapterExample');
    await page.click('[data-key="0/5"]');
    const message = (await sent(page, 'open')).at(-1);
    assert.equal(message.place.range.start.line, 44);
    assert.equal(message.preserveFocus, true);
    assert.equal(await page.textContent('.inspector-title h2'), 'd');
    assert.match(await page.textContent('.inspector'), /not ordered with.*freeNode/);
  },

  async 'the cursor in the editor lights its node'({ open, send }) {
    const page = await open('forkJoin');
    await send(page, { kind: 'reveal', file: 'src/pipeline/fork_join.cu', line: 71, column: 5 });
    await page.waitForSelector('[data-key="1/3"].lit.selected');
    assert.equal(await page.inputValue('select[aria-label=Graph]'), '1');
    assert.ok(await inView(page, '[data-key="1/3"]'), 'the node is scrolled into view');
  },

  async 'Tab walks the nodes in order, Enter opens the code'({ open }) {
    const page = await open('chapterExample');
    await page.focus('.graph-canvas');
    const walked = [];
    for (let count = 0; count < 7; count++) {
      await page.keyboard.press('Tab');
      walked.push(await page.evaluate(() => document.activeElement.dataset.key));
    }
    assert.deepEqual(walked, ['0/0', '0/6', '0/1', '0/2', '0/3', '0/4', '0/5']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    const message = (await sent(page, 'open')).at(-1);
    assert.deepEqual([message.place.range.start.line, message.preserveFocus], [41, false]);
  },

  async 'one cursor walks through all panes'({ open }) {
    const page = await open('forkJoin');
    for (let step = 0; step < 7; step++) await page.keyboard.press(step % 2 ? '.' : ']');
    assert.match(
      await page.textContent('.step-text'),
      /step 8 of 12 · launch producer → stream2 · used 160 MiB · reserved 160 MiB · remap: stream changed/,
    );
    assert.equal(await page.textContent('.story-row.now .story-number'), '8');
    assert.match(await page.textContent('.launch-chip.now'), /launch 2 of 2 on stream2/);
    assert.equal(await page.textContent('.remaps li.now .remap-step'), '8');
    await page.keyboard.press('[');
    assert.equal(await page.textContent('.story-row.now .story-number'), '7');
    await page.keyboard.press('End');
    assert.equal(await page.textContent('.story-row.now .story-number'), '12');
  },

  async 'search goes from match to match, Esc clears'({ open }) {
    const page = await open('everythingUnusual');
    await page.keyboard.press('/');
    await page.keyboard.type('small');
    assert.equal(await page.textContent('.matches'), '5');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    assert.equal(await page.textContent('.matches'), '2/5');
    assert.ok((await page.$$('.node.dimmed')).length > 5);
    await page.keyboard.press('Escape');
    assert.equal((await page.$$('.node.dimmed')).length, 0);
  },

  async 'a violation shows its witness over the graph and says what is not ordered'({ open }) {
    const page = await open('chapterExample');
    await page.click('.violations');
    assert.equal((await page.$$('.step-number')).length, 4);
    assert.equal((await page.$$('.wire.witness')).length, 3);
    assert.equal(await page.textContent('.missing-edge text'), 'not ordered');
    await page.click('.violations');
    assert.match(await page.textContent('.rule-line'), /graph-use-before-alloc/);
    await page.click('.witness .link.place');
    assert.equal((await sent(page, 'open')).at(-1).place.range.start.line, 48);
  },

  async 'wheel, drag, keys and buttons move the camera; F fits again'({ open }) {
    const page = await open('chapterExample');
    const transform = () => page.getAttribute('.graph-canvas > g', 'transform');
    const fitted = await transform();
    await page.mouse.move(500, 300);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    const zoomed = await transform();
    assert.notEqual(zoomed, fitted);
    await page.mouse.move(270, 500);
    await page.mouse.down();
    await page.mouse.move(330, 460, { steps: 3 });
    await page.mouse.up();
    assert.notEqual(await transform(), zoomed);
    assert.equal((await page.$$('.node.selected')).length, 0);
    await page.keyboard.press('f');
    assert.equal(await transform(), fitted);
    await page.keyboard.press('+');
    assert.notEqual(await transform(), fitted);
  },

  async 'sizes are set, gaps are shown, an entry is chosen, a run is cancelled'({ open, send }) {
    const page = await open('everythingUnusual');
    await page.click('text=Sizes (1)');
    await page.fill('#size-n', '4096');
    await page.keyboard.press('Tab');
    assert.deepEqual((await sent(page, 'setSymbol')).at(-1), { kind: 'setSymbol', name: 'n', value: 4096 });
    await page.click('.notices >> text=Show');
    assert.equal((await sent(page, 'showGaps')).length, 1);
    await send(page, { kind: 'progress', title: 'Simulating', fraction: 0.5 });
    await page.click('text=Cancel');
    assert.equal((await sent(page, 'cancel')).length, 1);
    const other = await open('forkJoin');
    await other.selectOption('select[aria-label="Entry function"]', 'main');
    assert.deepEqual((await sent(other, 'entry')).at(-1), { kind: 'entry', entry: 'main' });
  },

  async 'the outline is a tree that the keyboard walks'({ open }) {
    const page = await open('chapterExample');
    await page.click('#tab-outline');
    await page.focus('[role=tree] [role=treeitem][tabindex="0"]');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const label = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    assert.match(label, /^1\. `dptr` is allocated/);
    const rows = await page.$$eval('[role=treeitem]', (items) => items.map((item) => item.getAttribute('aria-label')));
    assert.ok(rows.some((row) => row.startsWith('error, d, kernel')));
  },

  async 'what was chosen survives a reload'({ open }) {
    const page = await open('forkJoin');
    await page.selectOption('select[aria-label=Graph]', '1');
    for (let step = 0; step < 3; step++) await page.keyboard.press(']');
    await page.dispatchEvent('[data-key="1/3"]', 'click');
    await page.waitForTimeout(400);
    const state = (await sent(page, 'state')).at(-1).state;
    assert.deepEqual([state.graph, state.step, state.selection], [1, 3, { kind: 'node', id: 3 }]);
    const again = await open('forkJoin', { saved: await page.evaluate(() => window.saved) });
    await again.waitForSelector('[data-key="1/3"].selected');
    assert.match(await again.textContent('.step-text'), /^step 4 of 12/);
  },

  async 'the picture is exported with its colours in it'({ open }) {
    const page = await open('chapterExample');
    await page.click('text=Export SVG');
    const { content } = (await sent(page, 'export')).at(-1);
    assert.match(content, /^<\?xml/);
    assert.match(content, /allocNode/);
    assert.doesNotMatch(content, /var\(|class=/);
  },

  async 'without a layout worker a simple layout is drawn'({ open }) {
    const page = await open('chapterExample', { worker: '/missing.js', quiet: true });
    assert.equal((await page.$$('.node')).length, 7);
  },

  async 'names that look like markup stay text'({ open }) {
    const page = await open('hostile');
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal((await page.$$('img, script[src="x"], b')).length, 0);
    assert.match(await page.textContent('.graph-name'), /<img src=x/);
  },

  async 'digits go to the panes, and every control can be reached'({ open }) {
    const page = await open('forkJoin');
    const labels = [];
    for (const key of '12345') {
      await page.keyboard.press(key);
      labels.push(
        await page.evaluate(() =>
          document.activeElement.closest('[aria-label].pane, footer')?.getAttribute('aria-label'),
        ),
      );
    }
    assert.deepEqual(labels, ['Streams and host', 'Graph', 'Inspector', 'Memory', 'Timeline']);
    const unnamed = await page.$$eval('button, input, select, [tabindex="0"]', (controls) =>
      controls
        .filter((one) => !one.getAttribute('aria-label') && !one.textContent.trim() && !one.labels?.length)
        .map((one) => one.outerHTML),
    );
    assert.deepEqual(unnamed, []);
  },

  async 'a page of 400 nodes answers at once'({ open }) {
    const page = await open('generated1200', { wait: 3000 });
    assert.equal((await page.$$('.node')).length, 400);
    const slowest = await page.evaluate(async () => {
      const times = [];
      for (let count = 0; count < 12; count++) {
        const start = performance.now();
        document.querySelectorAll('.node')[count * 30].dispatchEvent(new MouseEvent('click', { bubbles: true }));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
        await new Promise(requestAnimationFrame);
      }
      return Math.max(...times.slice(1));
    });
    assert.ok(slowest < 100, `a click took ${slowest} ms`);
  },

  async 'a story of 12,000 steps is walked without waiting'({ open }) {
    const page = await open('longRun12000', { wait: 1500 });
    const slowest = await page.evaluate(async () => {
      const times = [];
      for (let count = 0; count < 40; count++) {
        const start = performance.now();
        document.dispatchEvent(new KeyboardEvent('keydown', { key: ']' }));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
        await new Promise(requestAnimationFrame);
      }
      return Math.max(...times.slice(1));
    });
    assert.ok(slowest < 100, `a step took ${slowest} ms`);
    await page.keyboard.press('End');
    assert.match(await page.textContent('.step-text'), /^step 12000 of 12000/);
    assert.equal(await page.textContent('.story-row.now .story-number'), '12000');
  },

  async 'empty, failed and waiting are said in words'({ open, send }) {
    const page = await open('none');
    assert.match(await page.textContent('.stage'), /Reading the code/);
    await send(page, { kind: 'failed', title: 'Could not', detail: 'because' });
    assert.match(await page.textContent('[role=alert]'), /Could notbecause/);
    await send(page, { kind: 'empty', title: 'Nothing', detail: 'here' });
    assert.match(await page.textContent('.stage'), /Nothinghere/);
  },
};

async function sent(page, kind) {
  return (await page.evaluate(() => window.sent)).filter((message) => message.kind === kind);
}

async function inView(page, selector) {
  const node = await (await page.$(selector)).boundingBox();
  const pane = await (await page.$('.graph-canvas')).boundingBox();
  return node.y >= pane.y && node.y + node.height <= pane.y + pane.height;
}
