/** Constructors of classes whose definition is not seen: what their members begin with is known all the same. */

import type { MemberInitializer } from '../../program/member-initializer.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { evaluateArguments } from '../calls/arguments.ts';
import { invokeFunction } from '../calls/invoke.ts';
import { chooseOverload } from '../calls/overloads.ts';
import { identified } from '../choices/identity.ts';
import { copyValue } from '../copied-values.ts';
import { place } from '../expressions/locate.ts';
import { externalCell } from '../expressions/names.ts';
import { lastPart } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { zero } from '../value.ts';
import type { World } from '../world.ts';

/** What stands before the body of such a constructor: another constructor of the class, or members, which are told apart by their names only. */
export function beginUnseen(world: World, scope: Scope, definition: FunctionDefinition): void {
  for (const initializer of definition.memberInitializers) {
    if (lastPart(initializer.name) === definition.name) handOver(world, scope, definition, initializer);
    else beginByName(world, scope, initializer);
  }
}

function handOver(world: World, scope: Scope, definition: FunctionDefinition, initializer: MemberInitializer): void {
  const { name, span } = definition;
  const values = evaluateArguments(world, scope, initializer.arguments);
  const other = chooseOverload(world, scope, name, values);
  if (other?.body && other !== definition) invokeFunction(world, other, values, null, span, [], scope);
}

function beginByName(world: World, scope: Scope, { name, arguments: written }: MemberInitializer): void {
  const [only] = written;
  if (written.length > 1 || (only?.kind === 'unary' && only.operator === '...')) return;
  const value = only ? copyValue(identified(world, place(world, scope, only), null)) : zero;
  externalCell(world, name).value = value;
}
