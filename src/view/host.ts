/**
 * Who is on the other side: the extension (through VS Code's message channel) or nobody (a page that carries its own scene).
 * The rest of the view cannot tell, but for what a lone page cannot do.
 */

import type { FromView, ToView, ViewState } from '../scene/protocol.ts';
import type { Scene } from '../scene/scene.ts';

/** What the webview itself remembers: the protocol's state and the view's own arrangement. */
export interface Remembered {
  readonly view: ViewState;
  readonly dock: number | null;
}

export interface Host {
  /** True in a page without an editor behind it: code cannot be opened, nothing can be analysed again. */
  readonly standalone: boolean;
  post(message: FromView): void;
  listen(handler: (message: ToView) => void): void;
  remember(state: Remembered): void;
  recall(): Remembered | undefined;
}

/** The id of the `<script type="application/json">` that carries a page's own scene. */
const sceneElementId = 'graphmem-scene';

interface VsCodeApi {
  postMessage(message: FromView): void;
  setState(state: Remembered): void;
  getState(): Remembered | undefined;
}

declare function acquireVsCodeApi(): VsCodeApi;

export function connectHost(): Host {
  return typeof acquireVsCodeApi === 'function' ? editorHost(acquireVsCodeApi()) : pageHost();
}

function editorHost(api: VsCodeApi): Host {
  return {
    standalone: false,
    post: (message) => api.postMessage(message),
    listen(handler) {
      window.addEventListener('message', (event: MessageEvent) => {
        if (isMessage(event.data)) handler(event.data);
      });
    },
    remember: (state) => api.setState(state),
    recall: () => api.getState(),
  };
}

function isMessage(data: unknown): data is ToView {
  return typeof data === 'object' && data !== null && 'kind' in data && typeof data.kind === 'string';
}

function pageHost(): Host {
  let handle: (message: ToView) => void = () => {};
  return {
    standalone: true,
    post(message) {
      if (message.kind === 'ready') handle(embeddedScene());
      if (message.kind === 'export') download(message.content);
    },
    listen(handler) {
      handle = handler;
    },
    remember() {},
    recall: () => undefined,
  };
}

function embeddedScene(): ToView {
  try {
    const text = document.getElementById(sceneElementId)?.textContent ?? '';
    return { kind: 'scene', scene: JSON.parse(text) as Scene };
  } catch (error) {
    return { kind: 'failed', title: 'This page carries no readable scene', detail: String(error) };
  }
}

function download(content: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type: 'image/svg+xml' }));
  link.download = 'graph.svg';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
