/** What would repair a violation, in terms of the trace; text edits are made from it and verified by re-analysis. */

export type Repair =
  /** Node `to` must depend on node `from` (events that added them). */
  | { readonly kind: 'addDependency'; readonly from: number; readonly to: number }
  /** All of them at once: one alone would leave another mistake. */
  | { readonly kind: 'together'; readonly repairs: readonly Repair[] }
  /** What `before` (an event) does must wait for `after`: an event recorded behind it and waited for in front. */
  | { readonly kind: 'recordAndWait'; readonly after: number; readonly before: number }
  /** The statement of `event` belongs behind the statement of `behind`. */
  | { readonly kind: 'moveBehind'; readonly event: number; readonly behind: number }
  /** The statement of `event` belongs in front of the statement of `front`. */
  | { readonly kind: 'moveInFront'; readonly event: number; readonly front: number }
  /** A forked stream joins the origin before the capture ends; `work` is its last captured call,
   * `end` the call of the origin in front of which it joins. */
  | { readonly kind: 'joinBeforeEnd'; readonly work: number; readonly end: number }
  | { readonly kind: 'autoFreeOnLaunch'; readonly instantiate: number }
  | { readonly kind: 'uploadToLaunchStream'; readonly upload: number; readonly launch: number }
  | { readonly kind: 'launchInStreamOf'; readonly launch: number; readonly other: number }
  | { readonly kind: 'removeStatement'; readonly event: number; readonly title: string }
  | { readonly kind: 'synchroniseBefore'; readonly event: number; readonly stream: number }
  | { readonly kind: 'freeAsyncInstead'; readonly event: number; readonly streamOf: number }
  | {
      readonly kind: 'freeAsyncBehind';
      readonly behind: number;
      readonly streamOf: number;
      readonly allocation: number;
    };
