/** Types that are worked out for the sake of each other: `T` that stands for `std::decay_t<T>`, a class that would stand on itself. They have no end. */

import { keptByRun } from '../kept-by-run.ts';
import type { World } from '../world.ts';

/** Types within types that are followed. */
const deepest = 32;
/** The same in a run that came upon types without an end, which may ask for several others each time. */
const deepestWhenEndless = 4;

const underWay = keptByRun(() => ({ depth: 0, most: deepest }));

/** What `work` gives; `otherwise` where it was asked for again and again on the way there. */
export function workingOut<T>(world: World, otherwise: T, work: () => T): T {
  const state = underWay(world);
  if (state.depth >= state.most) {
    state.most = Math.max(deepestWhenEndless, state.most >> 1);
    return otherwise;
  }
  state.depth++;
  try {
    return work();
  } finally {
    state.depth--;
  }
}
