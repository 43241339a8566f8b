/**
 * Variables, members and elements that a function which nobody declares may have set, because it takes them by reference: `size_t bytes = 0; query(bytes);`.
 * One that begins as nothing (0, or −1), that the function around has not set before, and that is no constant, is there to be set by somebody.
 */

import { spanEncloses } from '../../base/span.ts';
import { isNumberName } from '../../program/number-types.ts';
import type { Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { assignedIn, rootOf } from '../choices/assigned.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { type NumberValue, truth } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument } from './call.ts';
import { forgetPlain, forgotten } from './escape.ts';

/** Forgets what such variables hold. What a macro does, `LOG(n);`, it does to what it is given by the look of it. */
export function forgetPerhapsSet(world: World, name: string, written: string, values: readonly Argument[]): void {
  if (/^(?:::)?std::/.test(written) || /^[A-Z][A-Z\d_]*$/.test(lastPart(name)) || world.models.hostOnly.has(name))
    return;
  for (const given of values) if (isPerhapsSet(world, given)) forgetBegun(given);
}

function forgetBegun({ cell, value }: Argument): void {
  if (value.kind === 'record') forgetPlain(value, false);
  else if (cell) cell.value = forgotten(value);
}

function isPerhapsSet(world: World, { expression, cell, value, isMoved }: Argument): boolean {
  if (!expression || !isPlace(expression) || !cell?.type || isMoved) return false;
  const type = resolveType(world.program, cell.type);
  if (cell.type.isConst || type.isConst || type.pointers > 0 || type.extents.length > 0) return false;
  if (value.kind === 'number' ? !isNothingYet(value) || !isNumberName(type.name) : value.kind !== 'record')
    return false;
  if (value.kind === 'record' && (value.record.isShared || !findClass(world.program, value.record.className)))
    return false;
  const body = functionAround(world, expression.span)?.body;
  return body !== undefined && body !== null && !isSetBefore(body.statements, expression, cell.owner !== null);
}

/** A variable, a member or an element. */
function isPlace({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member' || kind === 'index';
}

/** Whether a statement of the function up to the one that the call stands in sets it: what comes behind it has not happened, unless in a loop. */
function isSetBefore(statements: readonly Statement[], place: Expression, isMember: boolean): boolean {
  const root = rootOf(place);
  const member = place.kind === 'member' || (place.kind === 'name' && isMember) ? place.name : null;
  return statements.some((statement) => {
    if (statement.span.start > place.span.start) return false;
    const { names, members, arrays, fields } = assignedIn(statement);
    if (names.has(root) || (member !== null && fields.has(member))) return true;
    return [...members, ...arrays].some((each) => rootOf(each) === root);
  });
}

/** `int rows = 0;`, `int rows = -1;` */
function isNothingYet(value: NumberValue): boolean {
  return truth(value) === false || value.value === -1;
}

/** The function whose text the run is in; undefined for a lambda, and for what a macro does. */
function functionAround(world: World, span: Argument['span']): FunctionDefinition | undefined {
  const frame = world.frames.at(-1);
  if (frame?.lambda) return undefined;
  const [entry] = world.entered;
  const found = frame
    ? world.program.functions.get(frame.name)?.find(({ nameSpan }) => nameSpan === frame.at)
    : entry && world.program.allFunctions().find((each) => each.span === entry);
  return found && spanEncloses(found.span, span) ? found : undefined;
}
