/** Keys that work everywhere in the view but where a person types. `help.ts` lists them for people. */

import type { Actions } from './actions.ts';
import type { GraphPane } from './graph-pane.ts';
import type { Help } from './help.ts';
import type { Toolbar } from './toolbar.ts';

const panStep = 60;

export interface KeyTargets {
  readonly actions: Actions;
  readonly graph: GraphPane;
  readonly toolbar: Toolbar;
  readonly help: Help;
  /** The panes that the digits go to, from 1 on. (F6 is the workbench's own key, even in a webview.) */
  readonly stops: readonly HTMLElement[];
}

export function listenToKeys(targets: KeyTargets): void {
  document.addEventListener('keydown', (event) => {
    if (targets.help.element.open || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target instanceof Element && event.target.closest('input, select, textarea') !== null;
    if (typing) return;
    const act = keyAction(event.key, targets, event.target);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function keyAction(
  key: string,
  { actions, graph, toolbar, help, stops }: KeyTargets,
  target: EventTarget | null,
): (() => void) | undefined {
  const inGraph = target instanceof Element && graph.element.contains(target);
  const always: Record<string, () => void> = {
    '[': () => actions.stepBy(-1),
    ',': () => actions.stepBy(-1),
    ']': () => actions.stepBy(1),
    '.': () => actions.stepBy(1),
    '+': () => graph.zoom(1.2),
    '=': () => graph.zoom(1.2),
    '-': () => graph.zoom(1 / 1.2),
    f: () => graph.fit(),
    F: () => graph.fit(),
    n: () => actions.nextFinding(1),
    N: () => actions.nextFinding(-1),
    m: () => actions.showPane('memory'),
    g: () => actions.showPane('graph'),
    '/': () => toolbar.focusSearch(),
    '?': () => help.show(),
    Home: () => actions.goToStep(0),
    End: () => actions.goToStep(Number.MAX_SAFE_INTEGER),
    Escape: () => {
      if (actions.discardWhatIf()) return;
      actions.search('');
      actions.select(null);
    },
  };
  const whileInGraph: Record<string, () => void> = {
    ArrowLeft: () => graph.pan(panStep, 0),
    ArrowRight: () => graph.pan(-panStep, 0),
    ArrowUp: () => graph.pan(0, panStep),
    ArrowDown: () => graph.pan(0, -panStep),
    Enter: () => actions.openSelection(),
  };
  const stop = /^[1-9]$/.test(key) ? stops[Number(key) - 1] : undefined;
  if (stop) return () => focusable(stop)?.focus();
  return (inGraph ? whileInGraph[key] : undefined) ?? always[key];
}

function focusable(stop: HTMLElement): HTMLElement | SVGElement | null {
  const selector = '[tabindex="0"], button:not([disabled]), input:not([disabled]), select:not([disabled])';
  return stop.querySelector<HTMLElement | SVGElement>(selector);
}
