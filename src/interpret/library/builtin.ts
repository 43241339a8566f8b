/** A function of the C or C++ library whose value matters. */

import type { CallExpression } from '../../program/program.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import type { Scope } from '../scope.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

export type Builtin = (
  world: World,
  scope: Scope,
  values: readonly Argument[],
  expression: CallExpression,
) => Value | CallResult;
