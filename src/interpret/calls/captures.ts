/** What a lambda captures, and what it keeps alive. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { arriveFrom, isOwning, ownCaptured, putInto } from '../closure-holdings.ts';
import { copyValue, noteShared } from '../copied-values.ts';
import { isMove } from '../expressions/assign.ts';
import { place } from '../expressions/locate.ts';
import { noteKeeper } from '../keepers.ts';
import { initialised } from '../objects/copies.ts';
import { bind, createScope, isThunk, type Scope } from '../scope.ts';
import { hasEnd } from '../statements/temporaries.ts';
import { type Cell, createCell, heldBy, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { namesMeant } from './names-meant.ts';

/** What a lambda captures by value is copied when it is made; `[=]` copies what its body means. */
export function capturedScope(world: World, scope: Scope, lambda: Expression & { kind: 'lambda' }): Scope {
  const { capturesByValue: names, capturesByReference: byReference } = lambda;
  if (names !== '=' && names.length === 0 && lambda.ownVariables.length === 0) return scope;
  let captured = createScope(scope);
  for (const { name, value, isAlias } of lambda.ownVariables) {
    const given = place(world, scope, value);
    if (isAlias && given.cell) {
      bind(captured, name, given.cell);
      continue;
    }
    const source = given.value;
    const isObject = source.kind === 'record' || source.kind === 'sequence';
    const how = { ...given, span: lambda.span, isMoved: given.isMoved === true || isMove(value) };
    const own = given.cell && isObject ? initialised(world, scope, how, lambda.span) : copyValue(source);
    const cell = createCell(name, own);
    // `[*this]`: what it does, it does with that object.
    if (name === '*this' && own.kind === 'record') captured = createScope(captured, own.record);
    if (isObject && hasEnd(world.program, own)) {
      noteKeeper(world, captured);
      ownCaptured(captured, cell);
    }
    if (isOwning(own)) {
      putInto(cell);
      arriveFrom(own, value.kind);
      ownCaptured(captured, cell);
    }
    bind(captured, name, cell);
  }
  const copy = (name: string, cell: Cell): void => {
    const isOwn = cell.value.kind === 'record' && hasEnd(world.program, cell.value);
    const value = isOwn ? copyOf(world, scope, cell, lambda.span) : copyValue(heldBy(cell));
    const own = { ...cell, value };
    bind(captured, name, own);
    if (isOwning(value)) {
      putInto(own);
      ownCaptured(captured, own);
    }
    if (!isOwn) return;
    ownCaptured(captured, own);
    // One more shares it.
    if (isShared(value)) noteShared(value);
    noteKeeper(world, captured);
  };
  const meant = names === '=' ? namesMeant(world.program, lambda) : null;
  for (let current: Scope | null = scope; current?.parent; current = current.parent)
    for (const [name, entry] of current.names ?? [])
      if (!isThunk(entry) && (meant ? meant.has(name) && !byReference.includes(name) : names.includes(name)))
        if (!captured.names?.has(name)) copy(name, entry);
  return captured;
}

/** The lambda's own object, made by its class from the one that is captured. */
function copyOf(world: World, scope: Scope, cell: Cell, span: Span): Value {
  const value = heldBy(cell);
  return isShared(value) ? copyValue(value) : initialised(world, scope, { value, cell, span }, span);
}

function isShared(value: Value): value is Value & { kind: 'record' } {
  return value.kind === 'record' && value.record.className === 'std::shared_ptr';
}
