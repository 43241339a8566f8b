/** The items that a file is cut into. */

import { firstIndex } from '../base/first-index.ts';
import type { ItemLayout } from './item-layout.ts';
import type { Statement } from './program.ts';

/** A top-level item of a file, as far as one needs to know what hangs on it. */
export interface ModuleItem {
  /** The same as long as the item's text is the same but for white space and comments, wherever it stands. */
  readonly id: number;
  /** The same of what is not a function's body; that of the whole item where nothing can be told apart. */
  readonly headId: number;
  readonly start: number;
  readonly end: number;
  readonly layout: ItemLayout;
  /** The namespaces around it that have names, `a::b`; nothing outside of all. */
  readonly namespace: string;
  /** A namespace around it has no name: only this file sees what it defines. */
  readonly isUnnamed: boolean;
  /** `using namespace a;` and `using a::f;`, where it is that. */
  readonly usings: readonly Extract<Statement, { readonly kind: 'using' }>[];
  /** What it defines. */
  readonly names: readonly string[];
  /** Globals and static members: part of every run. */
  readonly runsAlways: boolean;
  /** Every word in it. */
  mentions(): ReadonlySet<string>;
  /** Every word in its head. */
  headMentions(): ReadonlySet<string>;
  /** What the rest is: the {@link FunctionBody.identity} of a body, or nothing. */
  readonly body: object | null;
  /** What was read of it at once cannot be meant as it stands; a body says so for itself (`half-typed.ts`). */
  readonly isHalfTyped: boolean;
}

/** The item that an offset lies in, or behind; undefined where there are none. */
export function itemAt(items: readonly ModuleItem[], offset: number): ModuleItem | undefined {
  const behind = firstIndex(items.length, (index) => items[index]!.start > offset);
  return items[Math.max(0, behind - 1)];
}
