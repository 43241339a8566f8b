/** What a loop over a range goes through. */

import type { Statement, TypeReference } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import type { Acting } from '../../trace/decision.ts';
import type { Size } from '../../trace/size.ts';
import { decide } from '../choices/decisions.ts';
import { noteUsualCount, openRounds } from '../choices/implied.ts';
import { copyDeep } from '../copied-values.ts';
import { noteHostAccess } from '../cuda/host-accesses.ts';
import { elementCell } from '../expressions/elements.ts';
import { openLength } from '../expressions/open-ends.ts';
import { handleTypeOf } from '../handle-types.ts';
import { addGuess, entriesOf, isMap } from '../library/map-entries.ts';
import { charactersOf } from '../library/strings.ts';
import { isReferredTo } from '../referred-parts.ts';
import { iterated, propertiesOf } from '../script/values.ts';
import { type Cell, createCell, heldBy, type RecordObject, type Sequence, unknownValue, type Value } from '../value.ts';
import { noteGap, type World } from '../world.ts';
import { hasEnd } from './temporaries.ts';

/** Iterations tried when the text does not say how often a loop runs. */
export const unknownIterations = 2;
/** Elements of a range that a loop is shown which does nothing on the device. */
const mostQuietIterations = 4_000;

/** What a loop over a range is shown. */
export interface Elements {
  readonly count: number;
  readonly at: (index: number) => Cell;
  /** There is nothing else in the range. */
  readonly isAll: boolean;
}

export function listed(cells: readonly Cell[], isAll = true): Elements {
  return { count: cells.length, at: (index) => cells[index] ?? createCell('element'), isAll };
}

/** The names or values of TypeScript's that a loop goes through; null where they are not known. */
function scriptElements(range: Value, over: 'values' | 'names'): Elements | null {
  if (over === 'values' && range.kind === 'sequence' && range.sequence.isShared && range.sequence.length !== null) {
    const { sequence } = range;
    const { cells } = sequence;
    return {
      get count() {
        return sequence.length ?? cells.size;
      },
      at: (index) => elementCell(sequence, index),
      isAll: true,
    };
  }
  const values =
    over === 'values' ? iterated(range) : propertiesOf(range)?.map(([value]) => ({ kind: 'string', value }) as const);
  return values ? listed(values.map((value) => createCell('element', value))) : null;
}

/** What there is in a range; of one that is not known, as much as tells whether the loop runs. */
export function elements(world: World, range: Value, loop: Statement & { kind: 'forEach' }, acts: Acting): Elements {
  const script = loop.over ? scriptElements(range, loop.over) : null;
  if (script) return script;
  if (range.kind === 'sequence') {
    const { sequence } = range;
    const open = sequence.length === null ? openLength(sequence) : null;
    if (open) return openElements(world, sequence, open);
    const length = sequence.length ?? unknownIterations;
    // `for (int v : span)` copies each; what is taken by reference is noted where it is read.
    if (sequence.onDevice && length > 0 && loop.declaration?.type.isReference === false)
      noteHostAccess(world, range, null, loop.range, false);
    else if (world.watched?.has(sequence) && length > 0)
      noteHostAccess(world, range, null, loop.range, assignsTo(loop.body, loop.declaration?.name));
    const limit = acts === 'never' ? mostQuietIterations : world.budget.iterations;
    if (length > limit && acts !== 'never')
      noteGap(world, 'budget', 'a loop with more iterations than are followed', loop.span);
    return {
      count: Math.min(length, limit),
      at: (index) => elementCell(sequence, index),
      isAll: sequence.length !== null && length <= limit,
    };
  }
  if (range.kind === 'string') return listed(charactersOf(range.value, null));
  if (range.kind === 'record') {
    const entries = entriesOf(range.record);
    const isAll = entries !== null && entries.length !== null;
    if (entries && (isAll || entries.cells.size > 0)) return listed([...entries.cells.values()], isAll);
  }
  if (acts === 'never') return listed([], false);
  const runs = decide(world, unknownValue, loop.range.span, true, false, acts, {
    whenTrue: loop.body,
    whenFalse: null,
    isLoop: true,
  });
  const map = range.kind === 'record' && isMap(range.record) && holdsThings(range.record) ? range.record : null;
  // Where there is nothing in it, there is nothing the next time.
  if (map && !runs) map.isFilledElsewhere = false;
  if (map && runs) return listed(guessedEntries(map));
  return listed(runs ? guessedElements(range) : [], false);
}

/** Whether a loop gives its elements values, by the name that it has for them. */
function assignsTo(body: Statement, name: string | undefined): boolean {
  return someNode(
    body,
    (node) =>
      (node.kind === 'assign' && node.target.kind === 'name' && node.target.name === name) ||
      (node.kind === 'update' && node.operand.kind === 'name' && node.operand.name === name),
  );
}

/** Of a container of unknown length: choices in the loop may say which of its elements is the last. */
function openElements(world: World, sequence: Sequence, length: Size): Elements {
  const none: Size = { kind: 'number', value: 0 };
  noteUsualCount(world, { kind: 'operation', operator: '>', left: length, right: none }, unknownIterations);
  return {
    get count() {
      return openRounds(world, length, unknownIterations);
    },
    at: (index) => elementCell(sequence, index),
    isAll: false,
  };
}

/** Elements of ranges of which nothing is known: whoever goes through one again finds the same. */
const guessed = new WeakMap<Value, readonly Value[]>();

function guessedElements(range: Value): readonly Cell[] {
  const known = guessed.get(range);
  const values = known ?? Array.from({ length: unknownIterations }, (): Value => ({ kind: 'unknown' }));
  if (range.kind === 'unknown' && range !== unknownValue) guessed.set(range, values);
  return values.map((value) => createCell('element', value));
}

/** Whether what lies in a map is a pointer or a handle: whoever goes through it again must find the same one. */
function holdsThings({ templates }: RecordObject): boolean {
  const type = templates?.types.get('V');
  return type !== undefined && (type.pointers > 0 || handleTypeOf(type) !== null);
}

/** Entries of a map that somebody else has filled: whoever goes through it again finds the same ones. */
function guessedEntries(record: RecordObject): readonly Cell[] {
  for (let made = 0; made < unknownIterations; made++) addGuess(record, made);
  return [...(entriesOf(record)?.cells.values() ?? [])];
}

/** A name's own copy of a part, unless that is a reference, or something happens at its end. */
export function copiedPart(world: World, whole: Value, name: string, part: Cell): Cell {
  const { value, type } = part;
  if (whole.kind === 'record' && (whole.record.released || isReferredTo(whole.record, part))) return part;
  return hasEnd(world.program, value) ? part : createCell(name, copyDeep(heldBy(part)), type);
}

/** What a `reference_wrapper` refers to, where that is asked for. */
export function referent(entry: Cell, { name }: TypeReference): Cell {
  return name !== 'auto' && entry.value.kind === 'pointer' && entry.value.isWrapper ? entry.value.cell : entry;
}
