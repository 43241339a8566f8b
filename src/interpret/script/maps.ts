/** Methods of TypeScript's `Map`. */

import type { Argument, CallResult } from '../calls/call.ts';
import { just } from '../calls/call-results.ts';
import { callWith } from '../calls/callables.ts';
import { mapCell, mapKey } from '../library/map-entries.ts';
import type { Scope } from '../scope.ts';
import { nothingThere, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { arrayOf, booleanValue, pairsOf, unknownArray } from './values.ts';

/** The method's result; null when it is none of them. */
export function scriptMapMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  given: readonly Argument[],
): CallResult | null {
  const [key = nothingThere, value = nothingThere] = given.map((each) => each.value);
  const self: Value = { kind: 'record', record };
  const field = mapKey(key);
  const pairs = pairsOf(record);
  const isOpen = field === '[?]' || pairs === null;
  switch (name) {
    case 'get': {
      const cell = field === '[?]' ? undefined : record.fields.get(field);
      if (cell) return { value: cell.value, cell };
      return isOpen ? just({ kind: 'unknown' }) : just(nothingThere);
    }
    case 'set':
      // It may be any of those that are there.
      if (field === '[?]') for (const cell of record.fields.values()) cell.value = { kind: 'unknown' };
      mapCell(record, key).value = value;
      return just(self);
    case 'has':
      if (field !== '[?]' && record.fields.has(field)) return just(booleanValue(true));
      return just(isOpen ? unknownValue : booleanValue(false));
    case 'delete': {
      if (field === '[?]') {
        record.isFilledElsewhere = true;
        return just(unknownValue);
      }
      record.keys?.delete(field);
      return just(booleanValue(record.fields.delete(field)));
    }
    case 'clear':
      record.fields.clear();
      record.keys?.clear();
      record.isFilledElsewhere = false;
      record.hasUnknownKeys = false;
      return just(nothingThere);
    case 'keys':
      return just(pairs ? arrayOf(pairs.map(([each]) => each)) : unknownArray());
    case 'values':
      return just(pairs ? arrayOf(pairs.map(([, each]) => each)) : unknownArray());
    case 'entries':
      return just(pairs ? arrayOf(pairs.map((pair) => arrayOf(pair))) : unknownArray());
    case 'forEach': {
      const callee = given[0];
      if (!callee) return null;
      for (const [each, held] of pairs ?? [[unknownValue, unknownValue]]) {
        const values = [held, each, self].map((one): Argument => ({ value: one, cell: null, span: callee.span }));
        callWith(world, scope, callee.value, values, callee.span);
      }
      return just(nothingThere);
    }
    default:
      return null;
  }
}
