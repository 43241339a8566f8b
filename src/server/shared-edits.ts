/**
 * How the thread that analyses learns of edits while it is busy. The thread that reads the client's messages counts the
 * edits of each document in memory that both share; the analysing thread counts those it has taken up.
 *
 *     client ──▶ reading thread ── counts, passes on ──▶ analysing thread
 *                        └────────── shared counters ──────▶ "is there a newer text?"
 *
 * Documents share counters by a hash of their URI: a collision costs an analysis made once more, never a wrong answer.
 */

const counters = 256;

/** The counter of all messages, behind those of the documents. */
const allMessages = counters;

export function createSharedEdits(): SharedArrayBuffer {
  return new SharedArrayBuffer((counters + 1) * Int32Array.BYTES_PER_ELEMENT);
}

/** The reading thread's half: call it with every message before passing it on. */
export function countEdit(shared: SharedArrayBuffer, message: unknown): void {
  const counted = new Int32Array(shared);
  Atomics.add(counted, allMessages, 1);
  const uri = editedDocument(message);
  if (uri !== undefined) Atomics.add(counted, slotOf(uri), 1);
}

export interface EditsSeen {
  /** Call it with every message as the server takes it up. */
  readonly takeUp: (message: unknown) => void;
  readonly editsWaiting: (uri: string) => boolean;
  /** How many messages of any kind have reached the process, whether taken up or not. */
  readonly messages: () => number;
}

/** The analysing thread's half. */
export function createEditsSeen(shared: SharedArrayBuffer): EditsSeen {
  const counted = new Int32Array(shared);
  const seen = new Int32Array(counters);
  // One document is asked for again and again while it is analysed.
  let last = { uri: '', slot: slotOf('') };
  return {
    takeUp(message) {
      const uri = editedDocument(message);
      if (uri !== undefined) Atomics.add(seen, slotOf(uri), 1);
    },
    editsWaiting: (uri) => {
      if (last.uri !== uri) last = { uri, slot: slotOf(uri) };
      return Atomics.load(counted, last.slot) !== seen[last.slot];
    },
    messages: () => Atomics.load(counted, allMessages),
  };
}

/** Closing counts too: nobody waits for the analysis of a closed document. */
function editedDocument(message: unknown): string | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== 'textDocument/didChange' && method !== 'textDocument/didClose') return undefined;
  const uri = (params as { textDocument?: { uri?: unknown } } | undefined)?.textDocument?.uri;
  return typeof uri === 'string' ? uri : undefined;
}

function slotOf(uri: string): number {
  let hash = 7;
  for (let index = 0; index < uri.length; index++) hash = (hash * 31 + uri.charCodeAt(index)) & 0x3fffffff;
  return hash % counters;
}
