/** The language server's own requests and notifications, beyond the standard protocol. */

import type { Range } from '../base/source-text.ts';
import type { Scene } from './scene.ts';
import type { WhatIfChange } from './what-if-change.ts';

/** `graphmem/scene`: what the panel draws. `settings` are the symbol values a person has set, `changes` those of a what-if. */
export const sceneRequest = 'graphmem/scene';
export interface SceneParams {
  readonly uri: string;
  readonly entry?: string;
  readonly settings?: Readonly<Record<string, number>>;
  readonly changes?: readonly WhatIfChange[];
}
export type SceneResult =
  | { readonly kind: 'scene'; readonly scene: Scene }
  | { readonly kind: 'empty'; readonly title: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly title: string; readonly detail: string };

/** `graphmem/whatIfEdits`: the changes of a what-if as edits of the document, proved by analysing the edited text. */
export const whatIfEditsRequest = 'graphmem/whatIfEdits';
export type WhatIfEditsResult =
  | {
      readonly kind: 'edits';
      /** The version of the document that the edits are for. */
      readonly version: number;
      readonly edits: readonly { readonly range: Range; readonly newText: string }[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** `graphmem/analysed`: sent after diagnostics were published, for status bar and tests. */
export const analysedNotification = 'graphmem/analysed';
export interface AnalysedParams {
  readonly uri: string;
  readonly version: number | null;
  readonly findings: number;
  readonly gaps: readonly { readonly kind: string; readonly name: string; readonly range: Range }[];
  /** Server time from the edit's arrival to the published diagnostics. */
  readonly milliseconds: number;
  readonly status: 'ok' | 'partial' | 'quarantined';
}
