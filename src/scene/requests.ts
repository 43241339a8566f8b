/** The language server's own requests and notifications, beyond the standard protocol. */

import type { Range } from '../base/source-text.ts';
import type { Scene } from './scene.ts';

/** `graphmem/scene`: what the panel draws. `settings` are the symbol values a person has set. */
export const sceneRequest = 'graphmem/scene';
export interface SceneParams {
  readonly uri: string;
  readonly entry?: string;
  readonly settings?: Readonly<Record<string, number>>;
}
export type SceneResult =
  | { readonly kind: 'scene'; readonly scene: Scene }
  | { readonly kind: 'empty'; readonly title: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly title: string; readonly detail: string };

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
