/** Nodes that are taken out of a map or a set by `extract`, and put into another: a key and what lies under it. */

import type { CallResult } from '../calls/call.ts';
import { createCell, createRecord, numberValue, type RecordObject, unknownValue, type Value } from '../value.ts';

const mapNode = 'std::node_handle';

/** What was taken out; nothing where there was nothing. */
export function nodeOf(key: Value | undefined, value: Value | undefined): Value {
  const record = createRecord(mapNode, true);
  if (value) {
    record.fields.set('(key)', createCell('(key)', key ?? unknownValue));
    record.fields.set('(value)', createCell('(value)', value));
  }
  return { kind: 'record', record };
}

/** The key and the value in a node that is given away, which has them no more; null for what is no node. */
export function takenFromNode(value: Value): { readonly key: Value; readonly value: Value } | 'nothing' | null {
  if (value.kind !== 'record' || value.record.className !== mapNode) return null;
  const { fields } = value.record;
  const [key, held] = [fields.get('(key)'), fields.get('(value)')];
  fields.clear();
  return key && held ? { key: key.value, value: held.value } : 'nothing';
}

/** `node.key()`, `node.mapped()`, `node.value()` of a set's, `node.empty()`; null for any other object, or method. */
export function nodeMethod({ className, fields }: RecordObject, name: string): CallResult | null {
  if (className !== mapNode) return null;
  if (name === 'empty') return { value: numberValue(fields.has('(value)') ? 0 : 1), cell: null };
  const cell = fields.get(name === 'key' ? '(key)' : name === 'mapped' || name === 'value' ? '(value)' : '');
  return cell ? { value: cell.value, cell } : null;
}
