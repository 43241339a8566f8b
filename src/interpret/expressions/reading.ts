/** What comes into variables from outside: `scanf("%d", &n)`, `in >> n`, `fread(buffer, …)`. Nothing is known of them then. */

import type { Expression } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { forgetElements, isScalarValue } from '../choices/assigned.ts';
import { forgetTexts } from '../library/same-answers.ts';
import { findClass } from '../program-table.ts';
import { isThunk, type Scope } from '../scope.ts';
import { isCount, symbolFor } from '../statements/outside-numbers.ts';
import { type Cell, createCell, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { findName } from './names.ts';

const reading = new Set(
  (
    'scanf fscanf sscanf fread fgets getline gettimeofday sprintf snprintf vsprintf vsnprintf strcpy strncpy strcat __sync_fetch_and_add __sync_fetch_and_sub ' +
    '__sync_fetch_and_and __sync_fetch_and_or __sync_fetch_and_xor __sync_add_and_fetch __sync_val_compare_and_swap ' +
    '__sync_bool_compare_and_swap __sync_lock_test_and_set'
  ).split(' '),
);

/** Those of them that read what a person or a file says. */
const inputs = new Set(['scanf', 'fscanf', 'sscanf', 'fread']);

/** Forgets what a function of the C library stores where its arguments point. */
export function forgetRead(world: World, name: string, values: readonly Argument[]): void {
  if (!reading.has(name)) return;
  forgetTexts(world, values);
  for (const { value, cell } of values) {
    if (value.kind === 'pointer' && !value.sequence && inputs.has(name) && isNumber(world, value.cell))
      readInto(world, value.cell);
    else if (value.kind === 'pointer') forget(value.cell);
    if (value.kind === 'pointer' || value.kind === 'sequence') forgetArray(value);
    else if (cell && name === 'getline') forget(cell);
  }
}

/** What a function that knows what it stores has stored there: what was asked of the text before says nothing of it. */
export function forgetWritten(world: World, name: string, values: readonly Argument[]): void {
  if (reading.has(name)) forgetTexts(world, values);
}

function forgetArray(value: Value & { kind: 'pointer' | 'sequence' }): void {
  forgetElements(value);
  if (value.sequence) value.sequence.isZero = false;
}

function forget(cell: Cell): void {
  const { value } = cell;
  if (isScalarValue(value)) cell.value = { kind: 'unknown' };
  else if (value.kind === 'record' && !value.record.className.startsWith('std::'))
    for (const field of value.record.fields.values()) if (isScalarValue(field.value)) forget(field);
}

/** `in >> a >> b`: whether `>>` reads, from what its left side is called or declared as. */
export function isInput(world: World, scope: Scope, expression: Expression): boolean {
  if (expression.kind === 'binary') return expression.operator === '>>' && isInput(world, scope, expression.left);
  if (expression.kind !== 'name') return false;
  if (/^(?:std::)?cin$/.test(expression.name)) return true;
  const entry = findName(world, scope, expression.name);
  const type = entry && !isThunk(entry) ? (entry.type?.name ?? '') : '';
  // A program's own `stream` says itself what `>>` means for it.
  return /(?:^|:)[io]?f?(?:string)?stream$/.test(type) && !findClass(world.program, type);
}

/** Whatever the variable held, it is something else now: a count is a symbol, another one each time that it is read. */
export function readInto(world: World, cell: Cell | null): void {
  if (!cell) return;
  cell.value = isNumber(world, cell)
    ? symbolFor(world, { name: cell.name, span: world.statement }, createCell('read'), null)
    : { kind: 'unknown' };
}

/** `atoi(argv[1])`, `(size_t)std::stoul(text)`: a number made of a text. */
export function isParsed(expression: Expression): boolean {
  if (expression.kind === 'cast') return isParsed(expression.operand);
  const callee = expression.kind === 'call' ? expression.callee : null;
  return callee?.kind === 'name' && /^(?:std::)?(?:ato(?:i|l|ll)|strtou?ll?|stou?ll?|stoi)$/.test(callee.name);
}

/** A variable with a name of its own, of a type for whole numbers. */
function isNumber(world: World, { type, name, owner }: Cell): boolean {
  return type !== null && owner === null && /^\w+$/.test(name) && isCount(world, type);
}

/** `source >> n` where nobody knows what `source` is. */
export function mayReadInto(cell: Cell | null): void {
  if (cell?.value.kind === 'string' || cell?.value.kind === 'number') cell.value = { kind: 'unknown' };
}
