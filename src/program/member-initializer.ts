/** What a constructor gives a member or a base. */

import type { Expression } from './program.ts';

/** `: name(arguments)`, and with braces. */
export interface MemberInitializer {
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly isList?: boolean;
}
