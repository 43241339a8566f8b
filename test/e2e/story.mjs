/**
 * One session of a person with a program whose graph is wrong, in steps that build on each other: sees the squiggle, reads,
 * repairs, looks at the graph, walks between picture and code, simulates, reloads, changes the theme.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspace } from '../host/harness/places.mjs';
import { until } from '../host/harness/time.mjs';
import { themes } from './editor.mjs';

const file = 'unordered.cu';
const race = 'graph-use-free-race';
const early = 'graph-use-before-alloc';

/** The 1-based line of the program on which `text` stands. */
function lineOf(text) {
  const index = readFileSync(path.join(workspace, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
  assert.ok(index >= 0, `${file} has no line with ${text}`);
  return index + 1;
}

const lines = {
  main: lineOf('int main()'),
  alloc: lineOf('cudaGraphAddMemAllocNode'),
  left: lineOf('cudaGraphAddKernelNode(&b'),
  race: lineOf('cudaGraphAddKernelNode(&d'),
  free: lineOf('cudaGraphAddMemFreeNode'),
  early: lineOf('cudaGraphAddKernelNode(&e'),
};

/** `[title, action]` in order. */
export function story({ editor, page, outside, shot }) {
  const squiggles = page.locator('.squiggly-error');
  const lenses = page.locator('.codelens-decoration');
  const panel = editor.panel();
  const nodes = panel.locator('.graph-canvas .node');
  const stepText = panel.locator('.timeline .step-text');
  const selectedLine = () => editor.activeLine();
  const banner = panel.locator('.what-if-banner');

  return [
    [
      'opens a file and sees the squiggles',
      async () => {
        await editor.openFile(file);
        await editor.goTo(lines.early, 1);
        await squiggles.first().waitFor({ timeout: 30_000 });
        assert.ok((await squiggles.count()) >= 2, 'two mistakes should be underlined');
        await shot('squiggles-dark');
      },
    ],

    [
      'the lens above main counts nodes, peak and violations',
      async () => {
        await editor.goTo(lines.main, 1);
        await lenses.first().waitFor();
        const text = (await lenses.first().textContent()).replaceAll('\u00a0', ' ').replace(/\s+/g, ' ').trim();
        assert.equal(text, 'graph: 7 nodes · peak 64 MiB · 2 violations | Show graph | Simulate');
      },
    ],

    [
      'the status bar counts the violations',
      async () => {
        await page.locator('.statusbar-item', { hasText: '2 violations' }).waitFor();
      },
    ],

    [
      'the Problems panel names the rules',
      async () => {
        await page.keyboard.press('Control+Shift+M');
        for (const rule of [race, early])
          await page.locator('.markers-panel .monaco-list-row', { hasText: rule }).first().waitFor();
        await shot('problems-dark');
        await page.keyboard.press('Control+Shift+M');
        await page.locator('.markers-panel').waitFor({ state: 'hidden' });
      },
    ],

    [
      'reads the hover',
      async () => {
        await editor.goTo(lines.early, 1);
        const hover = page.locator('.monaco-hover:visible', { hasText: 'graphmem' });
        await editor.hover(squiggles.last(), hover);
        const text = await hover.textContent();
        assert.match(text, new RegExp(`${race}|${early}`));
        await shot('hover-dark');
      },
    ],

    [
      'the rule in the hover leads to its page',
      async () => {
        // The hover may have closed since, or close under the pointer: it is opened until its link was followed.
        const tab = page.locator('.tab', { hasText: /graph-use-/ }).first();
        await until('the page of the rule', async () => {
          await editor.hover(squiggles.last(), page.locator('.monaco-hover:visible', { hasText: 'graphmem' }));
          await page
            .locator('.monaco-hover:visible a:visible', { hasText: /graph-use-/ })
            .first()
            .click({ timeout: 2000 })
            .catch(() => {});
          const shown = await tab.waitFor({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
          if (!shown) await page.keyboard.press('Escape');
          return shown;
        });
        await page.locator('iframe.webview.ready').first().waitFor();
        await page.locator('.tab.active .tab-actions .action-label').first().click();
        await page
          .locator('.tab', { hasText: /graph-use-/ })
          .first()
          .waitFor({ state: 'detached' });
      },
    ],

    [
      'repairs by the light bulb and sees the squiggle go',
      async () => {
        await editor.openFile(file);
        await editor.goTo(lines.race, 5);
        const before = await squiggles.count();
        const menu = page.locator('.action-widget', { hasText: 'Quick Fix' });
        await until('the menu of the light bulb', async () => {
          await page.keyboard.press('Control+.');
          return menu.waitFor({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
        });
        await page
          .locator('.action-widget .monaco-list-row.action', { hasText: /depend/i })
          .first()
          .waitFor();
        await shot('light-bulb-dark');
        await page
          .locator('.action-widget .monaco-list-row.action', { hasText: /depend/i })
          .first()
          .click();
        await menu.waitFor({ state: 'hidden' });
        await until('a squiggle to go', async () => (await squiggles.count()) < before);
        await page.locator('.statusbar-item', { hasText: '1 violation' }).waitFor();
        await page.keyboard.press('Control+Z');
        await until('the squiggle to come back', async () => (await squiggles.count()) === before);
      },
    ],

    [
      'opens the panel from the palette and sees the graph',
      async () => {
        await editor.openFile(file);
        await page.keyboard.press('Control+B');
        await editor.palette('Graph Memory: Show Graph');
        await nodes.first().waitFor({ timeout: 30_000 });
        assert.equal(await nodes.count(), 7, 'nodes drawn');
        // Away from the buttons, so that no tooltip is in the picture.
        await page.mouse.move(300, 850);
        await page
          .locator('.monaco-hover:visible, .workbench-hover-container:visible')
          .first()
          .waitFor({ state: 'hidden' });
        await shot('graph-dark');
      },
    ],

    [
      'a click on a node shows its code',
      async () => {
        await panel.locator('.graph-canvas .node.kind-memFree').first().click();
        await until('the editor to jump to the free node', async () => (await selectedLine()) === lines.free);
        await panel.locator('.graph-canvas .node.kind-memAlloc').first().click();
        await until('the editor to jump to the alloc node', async () => (await selectedLine()) === lines.alloc);
        await shot('graph-click-dark');
      },
    ],

    [
      'the cursor in the code lights the node',
      async () => {
        await editor.focusText();
        await editor.goTo(lines.left, 5);
        const lit = panel.locator('.graph-canvas .node:is(.lit, .selected)');
        await until(
          'the kernel to be lit',
          async () => (await lit.count()) > 0 && /readLeft/.test((await lit.first().getAttribute('aria-label')) ?? ''),
        );
      },
    ],

    [
      'tries two changes in the picture and sees what they would do',
      async () => {
        const move = panel.getByRole('button', { name: 'Move after the last use' });
        // The cursor's last move may still be on its way to the picture.
        await until('the free to be selected', async () => {
          await panel.locator('.graph-canvas .node.kind-memFree').first().click();
          return move.waitFor({ timeout: 1000 }).then(
            () => true,
            () => false,
          );
        });
        await move.click();
        await banner.waitFor({ timeout: 30_000 });
        await until('one violation less', async () => /1 change.*violations 2 → 1/s.test(await banner.textContent()));
        assert.equal(await panel.getByRole('button', { name: /^Drop/ }).count(), 4, 'dependencies of the free');
        await panel.locator('[data-key="0/6"], [data-key="0/5"]').filter({ hasText: 'readLeft' }).first().click();
        await panel.locator('#what-if-dependency').selectOption({ label: 'writeAll (kernel)' });
        await panel.getByRole('button', { name: 'Add the dependency' }).click();
        await until('no violation', async () => /2 changes.*violations 2 → 0/s.test(await banner.textContent()));
        assert.ok((await squiggles.count()) >= 2, 'the code is as it was');
        await shot('what-if-dark');
      },
    ],

    [
      'applies the changes to the code, and undoes them',
      async () => {
        await panel.getByRole('button', { name: 'Apply to code' }).click();
        await banner.waitFor({ state: 'hidden', timeout: 30_000 });
        await panel.locator('.violations', { hasText: 'No violations' }).waitFor();
        await until('the squiggles to go', async () => (await squiggles.count()) === 0);
        const text = (await page.locator('.editor-instance .view-lines').first().textContent()).replaceAll(
          '\u00a0',
          ' ',
        );
        assert.match(text, /cudaGraphAddKernelNode\(&e, graph, &a, 1, &kernel\);/);
        assert.match(text, /cudaGraphAddMemFreeNode\(&freeNode, graph, dependencies, 4, data\);/);
        await shot('what-if-applied-dark');
        await editor.focusText();
        await page.keyboard.press('Control+Z');
        await until('the squiggles to come back', async () => (await squiggles.count()) > 0);
        await panel.locator('.violations', { hasText: '2 violations' }).waitFor();
      },
    ],

    [
      'Esc discards a what-if',
      async () => {
        await panel.getByRole('button', { name: 'Auto-free' }).click();
        await banner.waitFor({ timeout: 30_000 });
        await page.keyboard.press('Escape');
        await banner.waitFor({ state: 'hidden' });
      },
    ],

    [
      'runs the simulation',
      async () => {
        await editor.palette('Graph Memory: Run Memory Simulation');
        await panel.locator('.memory-pane svg').first().waitFor();
        await until('the first step', async () => /step 1 of \d+/.test(await stepText.textContent()));
        await until(
          'the memory pane',
          async () => (await panel.locator('#graphmem').getAttribute('data-pane')) === 'memory',
        );
        await shot('simulation-dark');
      },
    ],

    [
      'steps the cursor through all panes',
      async () => {
        await panel.locator('.timeline .step-text').click();
        await panel.getByRole('button', { name: 'Next step' }).click();
        await until('step 2', async () => /step 2 of/.test(await stepText.textContent()));
        await page.keyboard.press('[');
        await until('step 1 again', async () => /step 1 of/.test(await stepText.textContent()));
        await page.keyboard.press(']');
        await page.keyboard.press(']');
        await until('step 3', async () => /step 3 of/.test(await stepText.textContent()));
        // The view remembers a moment after the last change.
        await page.waitForTimeout(600);
      },
    ],

    [
      'finds the panel as it was after the window was reloaded',
      async () => {
        await editor.palette('Developer: Reload Window');
        await page.waitForEvent('domcontentloaded');
        await editor.ready();
        await panel.locator('.memory-pane svg').first().waitFor({ timeout: 30_000 });
        await until('the remembered step', async () => /step 3 of/.test(await stepText.textContent()));
        assert.equal(await panel.locator('#graphmem').getAttribute('data-pane'), 'memory');
        await shot('reloaded-dark');
      },
    ],

    ...themes.slice(1).map((theme) => [
      `looks right in the theme ${theme.name}`,
      async () => {
        await editor.theme(theme);
        await panel.locator('.memory-pane svg').first().waitFor();
        await shot(`simulation-${theme.name}`);
        await panel.getByRole('button', { name: 'Graph', exact: true }).click();
        await until('the graph', async () => (await panel.locator('#graphmem').getAttribute('data-pane')) === 'graph');
        await nodes.first().waitFor();
        await shot(`graph-${theme.name}`);
        await panel.getByRole('button', { name: 'Memory', exact: true }).click();
      },
    ]),

    [
      'sets a size that the text leaves open, and finds it again in a new panel',
      async () => {
        await editor.theme(themes[0]);
        await page.locator('.tab', { hasText: 'Graph Memory' }).locator('.action-label').first().click();
        await editor.openFile('symbolic.cu');
        await editor.palette('Graph Memory: Show Graph');
        await panel.getByRole('tab', { name: /Sizes/ }).click();
        const size = panel.locator('.sizes input').first();
        await size.fill('16777216');
        await size.press('Enter');
        await until('the size in the graph', async () => /64 MiB/.test((await nodes.first().textContent()) ?? ''));
        await shot('sizes-dark');
        await page.locator('.tab', { hasText: 'Graph Memory' }).locator('.action-label').first().click();
        await editor.palette('Graph Memory: Run Memory Simulation');
        await until('the size again', async () => /64 MiB/.test((await nodes.first().textContent()) ?? ''));
      },
    ],

    [
      'a file without a graph has a panel that says so',
      async () => {
        await editor.openFile('plain.cpp');
        await editor.palette('Graph Memory: Show Graph');
        await page
          .frameLocator('iframe.webview.ready')
          .last()
          .frameLocator('iframe#active-frame')
          .locator('h1', { hasText: 'No CUDA graph' })
          .waitFor();
        await shot('empty-dark');
      },
    ],

    [
      'nothing was asked of the network',
      async () => {
        assert.deepEqual([...outside], []);
      },
    ],
  ];
}
