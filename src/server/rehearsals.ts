/**
 * What has run a few times only is not compiled yet, and is several times slower than it will be: the first edits of a large
 * document took a quarter of a second each. So a document whose analysis took long is analysed again while the client wants
 * nothing, and nothing of that is kept. The code is the same for all documents: what one rehearses is compiled for the next.
 *
 *     analysed, and it took long ──▶ no message for a while ──▶ rehearse ──▶ a pause ──▶ rehearse … until it is quick
 *                                     └── a message: stop at once, and wait anew
 */

/** An analysis that takes fewer milliseconds is quick. */
export const quick = 40;

/** Milliseconds without a message before the first rehearsal, and between two of them. */
const idle = 300;
const pause = 20;

/** Milliseconds for all rehearsals of a process: about twenty of 5,000 lines, after which V8 has compiled what it will (`npm run bench`). */
export const timeToRehearse = 3000;

/** Runs one; `isStale` tells that it is to end. False when it did not come to its end. */
export type Rehearse = (isStale: () => boolean) => boolean;

export interface Rehearsals {
  /** A document's analysis took `duration` milliseconds. */
  analysed(duration: number, rehearse: Rehearse): void;
  dispose(): void;
}

/** `messages` as in `ServerHost`: without it nothing could stop a rehearsal, and there are none. */
export function createRehearsals(messages: (() => number) | undefined): Rehearsals {
  let left = timeToRehearse;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (rehearse: Rehearse, milliseconds: number): void => {
    clearTimeout(timer);
    if (messages === undefined || left <= 0) return;
    const before = messages();
    timer = setTimeout(() => {
      if (messages() !== before) return later(rehearse, idle);
      const started = performance.now();
      const isDone = rehearse(() => messages() !== before);
      const duration = performance.now() - started;
      left -= duration;
      if (isDone && duration >= quick / 2) later(rehearse, pause);
      // What ended without a message ends so again.
      if (!isDone && messages() !== before) later(rehearse, idle);
    }, milliseconds);
  };

  return {
    analysed(duration, rehearse) {
      if (duration >= quick) later(rehearse, idle);
    },
    dispose: () => clearTimeout(timer),
  };
}
