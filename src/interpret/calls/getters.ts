/** What functions that nobody sees return: unknown, but the same each time where it is a getter that is asked the same. */

import type { TypeReference } from '../../program/program.ts';
import { printSize } from '../../trace/size.ts';
import { findClass, lastPart } from '../program-table.ts';
import { type Cell, createCell, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Argument, CallResult } from './call.ts';

/** What a getter without arguments returns: the same cell each time. */
export function remembered(cells: Map<string, Cell>, name: string, type: TypeReference | null = null): CallResult {
  const cell = cells.get(name) ?? createCell(name.replace('()', ''), unknownValue, type);
  cells.set(name, cell);
  return { value: cell.value, cell };
}

/** The type of what a function is declared to return, where that is an object of the program's own that lives on: `Pool &pool()`. */
export function typeOfGotten(world: World, type: TypeReference | undefined): TypeReference | null {
  if (!type || !(type.isReference ? type.pointers === 0 : type.pointers === 1)) return null;
  return findClass(world.program, type.name) ? type : null;
}

/** A call that was made: with what, and what it returned. */
interface Call {
  readonly asked: readonly Value[];
  readonly cell: Cell;
}

/** The calls of one function. */
export interface Gotten {
  count: number;
  /** Those that were given nothing but numbers, texts and handles, by these. */
  readonly ofPlain: Map<string, Call>;
  /** The others, by the first thing that they were given. */
  readonly others: Map<unknown, Call[]>;
}

/** Words in the names of functions that hand out another thing each time. */
const handsOut =
  /(?:^|_)(?:next|acquire|pop|create|make|new|alloc|allocate|take|borrow|fork|clone|duplicate|open|reserve|rotate)/;

/** `getNextStream` as `get_next_stream`. */
function inWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

const handingOut = new Map<string, boolean>();

function handsOutAnother(name: string): boolean {
  const known = handingOut.get(name);
  if (known !== undefined) return known;
  if (handingOut.size > mostNames) handingOut.clear();
  const result = handsOut.test(inWords(name));
  handingOut.set(name, result);
  return result;
}

/** Names of functions of which that is kept. */
const mostNames = 10_000;

/** Answers of one function that are kept: a loop that asks about each of its rounds asks about new things only. */
const mostGotten = 64;

/**
 * What a function returns that is asked about the same things as before. Only what was taken as a stream or another handle, or as
 * an object, is the same again: whether something holds may have changed.
 */
export function gottenFor(
  world: World,
  name: string,
  given: readonly Pick<Argument, 'value' | 'cell'>[],
  type: TypeReference | null = null,
): CallResult {
  const asked = given.map(({ value }) => value);
  if (asked.length === 0 || !asked.every(isSomething) || handsOutAnother(name))
    return { value: unknownValue, cell: null };
  const earlier: Gotten = world.gotten.get(name) ?? { count: 0, ofPlain: new Map(), others: new Map() };
  world.gotten.set(name, earlier);
  const plain = plainKey(asked);
  const first = plain === null ? keyOf(asked[0]!) : null;
  const known = plain !== null ? earlier.ofPlain.get(plain) : callWith(earlier.others.get(first), asked);
  if (!known) {
    if (earlier.count >= mostGotten) return { value: unknownValue, cell: null };
    earlier.count++;
    const cell = createCell(`${lastPart(name)}(${given.map(written).join(', ')})`, unknownValue, type);
    if (plain !== null) earlier.ofPlain.set(plain, { asked, cell });
    else {
      const others = earlier.others.get(first) ?? [];
      earlier.others.set(first, others);
      others.push({ asked, cell });
    }
    return { value: unknownValue, cell };
  }
  const { cell } = known;
  if (cell.value.kind === 'unknown') cell.value = world.guesses.get(cell.value) ?? unknownValue;
  return { value: cell.value, cell };
}

/** Numbers, texts and handles that are the same have the same key; null where anything else is among them. */
function plainKey(values: readonly Value[]): string | null {
  let key = '';
  for (const value of values) {
    if (value.kind === 'number') key += `n${value.value},`;
    else if (value.kind === 'handle') key += `h${value.id},`;
    else if (value.kind === 'string') key += `${JSON.stringify(value.value)},`;
    else return null;
  }
  return key;
}

/** Values that are the same have the same key; so may others. */
function keyOf(value: Value): unknown {
  switch (value.kind) {
    case 'record':
      return value.record;
    case 'pointer':
      return value.cell;
    case 'handle':
      return value.id;
    case 'symbol':
      return printSize(value.size);
    case 'number':
    case 'string':
      return value.value;
    default:
      return value;
  }
}

function callWith(calls: readonly Call[] | undefined, asked: readonly Value[]): Call | undefined {
  return calls?.find((each) => areSame(each.asked, asked));
}

function areSame(first: readonly Value[], second: readonly Value[]): boolean {
  return first.length === second.length && first.every((value, index) => isSame(value, second[index]!));
}

/** What it is called, or the number that it is. */
function written({ value, cell }: Pick<Argument, 'value' | 'cell'>): string {
  return cell?.name || (value.kind === 'number' ? String(value.value) : '…');
}

/** Whether it can be told from others. */
function isSomething(value: Value): boolean {
  switch (value.kind) {
    case 'unknown':
      return value !== unknownValue;
    case 'record':
    case 'pointer':
    case 'handle':
    case 'number':
    case 'symbol':
    case 'string':
      return true;
    default:
      return false;
  }
}

/** Whether two values are one thing, or equal. */
export function isSame(first: Value, second: Value): boolean {
  if (first === second) return true;
  if (first.kind === 'record') return second.kind === 'record' && first.record === second.record;
  if (first.kind === 'pointer') return second.kind === 'pointer' && first.cell === second.cell;
  if (first.kind === 'handle') return second.kind === 'handle' && first.id === second.id;
  if (first.kind === 'number') return second.kind === 'number' && first.value === second.value;
  if (first.kind === 'string') return second.kind === 'string' && first.value === second.value;
  return first.kind === 'symbol' && second.kind === 'symbol' && printSize(first.size) === printSize(second.size);
}
