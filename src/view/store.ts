/** The one store all panes share: what is shown, where the cursor stands, what is selected. Panes read it and never each other. */

import type { ViewState } from '../scene/protocol.ts';
import type { Scene } from '../scene/scene.ts';
import type { Camera } from './camera.ts';

export type Selection =
  | { readonly kind: 'node'; readonly graph: number; readonly id: number }
  | { readonly kind: 'allocation'; readonly id: number }
  | { readonly kind: 'operation'; readonly id: number }
  | { readonly kind: 'finding'; readonly id: number };

export interface NodeRef {
  readonly graph: number;
  readonly id: number;
}

export type Tab = 'details' | 'outline' | 'sizes';

export interface State {
  readonly phase: 'waiting' | 'empty' | 'failed' | 'ready';
  /** Words of the empty and failed phases. */
  readonly title: string;
  readonly detail: string;
  readonly progress: { readonly title: string; readonly fraction: number | null } | null;
  readonly scene: Scene | null;
  readonly graph: number;
  readonly step: number;
  readonly pane: 'graph' | 'memory';
  readonly selection: Selection | null;
  /** Nodes that stand where the editor's cursor is. */
  readonly lit: readonly NodeRef[];
  /** Operations whose call stands where the editor's cursor is. */
  readonly litOperations: readonly number[];
  readonly query: string;
  /** Which window onto a graph too large to draw at once. */
  readonly page: number;
  /** Null: fitted automatically. */
  readonly camera: Camera | null;
  readonly tab: Tab;
  /** Height of the lower dock in pixels; null: by pane. */
  readonly dock: number | null;
  /** What an earlier window left behind; used once, when its scene arrives. */
  readonly saved: ViewState | null;
}

export const initialState: State = {
  phase: 'waiting',
  title: '',
  detail: '',
  progress: null,
  scene: null,
  graph: 0,
  step: 0,
  pane: 'graph',
  selection: null,
  lit: [],
  litOperations: [],
  query: '',
  page: 0,
  camera: null,
  tab: 'details',
  dock: null,
  saved: null,
};

export type Listener = (state: State, previous: State) => void;

export interface Store {
  get(): State;
  set(patch: Partial<State>): void;
  subscribe(listener: Listener): void;
}

/** A store that tells its listeners of every change, once each, in the order in which they came. */
export function createStore(initial: State = initialState): Store {
  let state = initial;
  const listeners: Listener[] = [];
  return {
    get: () => state,
    set(patch) {
      const previous = state;
      const keys = Object.keys(patch) as (keyof State)[];
      if (keys.every((key) => Object.is(previous[key], patch[key]))) return;
      state = { ...previous, ...patch };
      const now = state;
      for (const listener of listeners) listener(now, previous);
    },
    subscribe(listener) {
      listeners.push(listener);
    },
  };
}

/** True when any of the named parts differ. */
export function changed(state: State, previous: State, ...keys: readonly (keyof State)[]): boolean {
  return keys.some((key) => !Object.is(state[key], previous[key]));
}
