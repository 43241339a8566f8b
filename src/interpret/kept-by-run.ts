/**
 * What single parts of the reading keep for one run, without the others having to know of it. It lies in the run itself, so that it
 * ends with it.
 */

import { Attached } from '../base/attached.ts';
import type { World } from './world.ts';

/** Of each run its own, made when it is first asked for. */
export function keptByRun<T extends object>(create: () => T): (world: World) => T {
  const attached = new Attached<World['kept'], T>();
  return ({ kept }) => {
    const known = attached.get(kept);
    if (known) return known;
    const own = create();
    attached.set(kept, own);
    return own;
  };
}
