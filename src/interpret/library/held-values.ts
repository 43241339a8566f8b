/** `optional` and `expected`: what is done with the value where there is one, and the error that an `expected` has instead. */

import type { Span } from '../../base/span.ts';
import type { Argument, CallResult } from '../calls/call.ts';
import { callWith } from '../calls/callables.ts';
import type { Scope } from '../scope.ts';
import { createCell, createRecord, type RecordObject, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

const just = (value: Value): CallResult => ({ value, cell: null });

/** Whether it may be one that somebody unseen has filled. */
function isOpen({ fields, isFilledElsewhere, released }: RecordObject): boolean {
  return (isFilledElsewhere === true || released) && !fields.has('(value)') && !fields.has('(error)');
}

/** `and_then`, `transform`, `or_else`, `transform_error`, `error`, `error_or` (C++23, [optional.monadic], [expected.object.monadic]); null for other methods and objects. */
export function heldValueMethod(
  world: World,
  scope: Scope,
  record: RecordObject,
  name: string,
  [given]: readonly Argument[],
  span: Span,
): CallResult | null {
  const { className, fields } = record;
  const isExpected = className === 'std::expected';
  if (!isExpected && className !== 'std::optional') {
    const isError = className === 'std::unexpected' || className === 'std::bad_expected_access';
    const inner = isError && name === 'error' ? (fields.get('(error)') ?? fields.get('(value)')) : undefined;
    return inner ? { value: inner.value, cell: inner } : null;
  }
  const [value, error] = [fields.get('(value)'), fields.get('(error)')];
  const called = (parts: readonly (typeof value)[]): Value => {
    const values = parts.flatMap((cell) => (cell ? [{ value: cell.value, cell, span }] : []));
    return callWith(world, scope, given?.value ?? unknownValue, values, span).value;
  };
  switch (name) {
    case 'error':
      return isExpected ? (error ? { value: error.value, cell: error } : just(unknownValue)) : null;
    case 'error_or':
      return isExpected ? (error ? { value: error.value, cell: error } : just(given?.value ?? unknownValue)) : null;
    case 'and_then':
      if (isOpen(record)) return just(unknownValue);
      return just(value ? called([value]) : without(record));
    case 'transform':
      if (isOpen(record)) return just(unknownValue);
      return just(value ? holding(className, '(value)', called([value])) : without(record));
    case 'or_else':
      if (isOpen(record)) return just(unknownValue);
      return just(value ? { kind: 'record', record } : called([error]));
    case 'transform_error':
      if (!isExpected) return null;
      return just(error ? holding(className, '(error)', called([error])) : { kind: 'record', record });
    default:
      return null;
  }
}

function holding(className: string, part: string, value: Value): Value {
  const record = createRecord(className, true);
  record.fields.set(part, createCell(part, value));
  return { kind: 'record', record };
}

/** What has no value goes on having none, whatever that would have been made into. */
function without({ className, fields }: RecordObject): Value {
  const error = fields.get('(error)');
  return error ? holding(className, '(error)', error.value) : { kind: 'record', record: createRecord(className, true) };
}
