/**
 * A what-if: changes that a person tries on the picture before the code is touched. Everything is named by the trace event
 * that made it (`event` of a scene's node, operation or executable), which stays the same while changes come and go.
 */

export type WhatIfChange =
  /** Node `to` depends on node `from`. */
  | { readonly kind: 'addDependency'; readonly from: number; readonly to: number }
  | { readonly kind: 'dropDependency'; readonly from: number; readonly to: number }
  /** The free comes behind every use of its allocation in the same graph. */
  | { readonly kind: 'moveFree'; readonly free: number }
  /** The launch goes into another stream, by the stream's handle. */
  | { readonly kind: 'launchStream'; readonly launch: number; readonly stream: number }
  | { readonly kind: 'autoFree'; readonly instantiate: number; readonly value: boolean };

/** What a run costs and what is wrong with it. Sizes in bytes. */
export interface WhatIfNumbers {
  /** Highest value of graph memory in use, and of memory reserved for graphs. */
  readonly used: number;
  readonly reserved: number;
  /** Calls that had to map memory, and how much all of them mapped. */
  readonly remaps: number;
  readonly remapped: number;
  readonly violations: number;
  /** Address range of each graph; null when a size is not known. */
  readonly footprints: readonly (number | null)[];
}

export interface WhatIf {
  readonly changes: readonly WhatIfChange[];
  readonly before: WhatIfNumbers;
  readonly after: WhatIfNumbers;
  /** Why the changes cannot be made in the code; null when they can. */
  readonly refusal: string | null;
}

/** The changes with one more; a change that undoes an earlier one takes that back instead. */
export function withChange(changes: readonly WhatIfChange[], change: WhatIfChange): readonly WhatIfChange[] {
  const others = changes.filter((each) => !sameSubject(each, change));
  const undone = others.length < changes.length && change.kind !== 'launchStream' && change.kind !== 'moveFree';
  return undone ? others : [...others, change];
}

function sameSubject(first: WhatIfChange, second: WhatIfChange): boolean {
  switch (first.kind) {
    case 'addDependency':
    case 'dropDependency':
      return (
        (second.kind === 'addDependency' || second.kind === 'dropDependency') &&
        first.from === second.from &&
        first.to === second.to
      );
    case 'moveFree':
      return second.kind === 'moveFree' && first.free === second.free;
    case 'launchStream':
      return second.kind === 'launchStream' && first.launch === second.launch;
    case 'autoFree':
      return second.kind === 'autoFree' && first.instantiate === second.instantiate;
  }
}
