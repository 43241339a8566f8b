/** Access paths of model rows over the arguments of a call. */

import type { Argument } from '../calls/call.ts';
import { unwrapped } from '../expressions/conversions.ts';
import { elementsOf } from '../expressions/elements.ts';
import { fieldCell } from '../expressions/locate.ts';
import { throughPointers } from '../expressions/through-pointers.ts';
import {
  type Cell,
  createCell,
  createRecord,
  createShared,
  numberValue,
  type RecordObject,
  unknownValue,
  type Value,
} from '../value.ts';
import type { World } from '../world.ts';

export interface PathContext {
  readonly world: World;
  readonly arguments: readonly Argument[];
  readonly self: RecordObject | null;
  /** What the call returns, filled by effects that define `return`. */
  readonly result: Cell;
}

interface ReadPath {
  readonly isPointee: boolean;
  readonly head: string;
  /** Which argument the head is; −1 when it is none. */
  readonly argument: number;
  readonly members: readonly string[];
}

/** The paths of all models, each read once. */
const readPaths = new Map<string, ReadPath>();

function readPath(path: string): ReadPath {
  const known = readPaths.get(path);
  if (known) return known;
  const isPointee = path.startsWith('*');
  const [head = '', ...members] = (isPointee ? path.slice(1) : path).split('.');
  const read = { isPointee, head, argument: Number(/^arg(\d+)$/.exec(head)?.[1] ?? -1), members };
  readPaths.set(path, read);
  return read;
}

/** The cell a path names, or null. Members of unknown structures come into being. */
export function pathCell(context: PathContext, path: string): Cell | null {
  const { isPointee, head, argument, members } = readPath(path);
  let cell = headCell(context, head, argument);
  if (!cell) return null;
  if (isPointee) {
    const value = cell.value;
    if (value.kind === 'pointer') cell = value.cell;
    else if (value.kind === 'sequence') cell = elementsOf(value, 1)?.[0] ?? null;
    else if (value.kind === 'record') cell = value.record.fields.get('(pointer)') ?? cell;
    else return null;
  }
  for (let index = 0; index < members.length; index++) {
    const next: Cell | null = cell ? memberOf(context.world, cell, members[index]!) : null;
    if (!next) return null;
    cell = next;
  }
  return cell;
}

/** The argument that a path begins at; null for what the call gives back. */
export function argumentOf(context: PathContext, path: string): Argument | null {
  return context.arguments[readPath(path).argument] ?? null;
}

function headCell(context: PathContext, head: string, index: number): Cell | null {
  const argument = index < 0 ? undefined : context.arguments[index];
  if (argument) {
    const { cell, value } = unwrapped(argument);
    return cell ?? createCell('', value);
  }
  if (head === 'return') return context.result;
  if (head === 'this' && context.self) return createCell('this', { kind: 'record', record: context.self });
  return /^\d+$/.test(head) ? createCell('', numberValue(Number(head))) : null;
}

function memberOf(world: World, cell: Cell, member: string): Cell | null {
  const target = throughPointers(cell.value);
  if (target?.kind === 'record') return fieldCell(world, target.record, member);
  if (target) return target.sequence.cells.get(Number(member)) ?? null;
  if (cell.value.kind !== 'unknown') return null;
  const record = world.program.isScript ? createShared('') : createRecord('', true);
  cell.value = { kind: 'record', record };
  return fieldCell(world, record, member);
}

/** The value a path names; unknown when it names none. */
export function pathValue(context: PathContext, path: string): Value {
  return pathCell(context, path)?.value ?? unknownValue;
}
