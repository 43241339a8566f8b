/** The contract between the panel's webview and the extension host: every message either side may send. */

import type { Place, Scene } from './scene.ts';
import type { WhatIfChange } from './what-if-change.ts';

/** From the extension to the view. */
export type ToView =
  | { readonly kind: 'scene'; readonly scene: Scene }
  | { readonly kind: 'empty'; readonly title: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly title: string; readonly detail: string }
  | { readonly kind: 'progress'; readonly title: string; readonly fraction: number | null }
  /** The cursor moved in the editor: light up what stands there. */
  | { readonly kind: 'reveal'; readonly file: string; readonly line: number; readonly column: number }
  /** Show the simulation (memory pane, cursor at the start) rather than the graph. */
  | { readonly kind: 'show'; readonly pane: 'graph' | 'memory' };

/** From the view to the extension. */
export type FromView =
  | { readonly kind: 'ready' }
  /** Open the code at this place. */
  | { readonly kind: 'open'; readonly place: Place; readonly preserveFocus: boolean }
  | { readonly kind: 'entry'; readonly entry: string }
  | { readonly kind: 'setSymbol'; readonly name: string; readonly value: number | null }
  /** Show the program with these changes; none of them: as it is. */
  | { readonly kind: 'whatIf'; readonly changes: readonly WhatIfChange[] }
  /** Make the changes in the code. */
  | { readonly kind: 'applyWhatIf'; readonly changes: readonly WhatIfChange[] }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'showGaps' }
  /** Save what the view drew: `format` of `content`. */
  | { readonly kind: 'export'; readonly format: 'svg'; readonly content: string }
  /** What the view wants back when the window reloads. */
  | { readonly kind: 'state'; readonly state: ViewState };

/** What survives a reload of the window. */
export interface ViewState {
  readonly file: string;
  readonly entry: string | null;
  readonly graph: number;
  readonly step: number;
  readonly pane: 'graph' | 'memory';
  readonly zoom: number;
  readonly panX: number;
  readonly panY: number;
  readonly selection: { readonly kind: 'node' | 'allocation' | 'operation' | 'finding'; readonly id: number } | null;
}
