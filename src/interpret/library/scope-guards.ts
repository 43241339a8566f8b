/** Objects that run a lambda when they end, of classes that nobody sees: what may be asked of them. */

import { type Cell, createCell, createRecord, numberValue, pointerTo, type Value } from '../value.ts';

/** The name that they go by, whatever their class is called: of the library, so that they let go of what they hold. */
const guardClass = 'std::(scope guard)';

/** What says that the lambda is not to run any more. */
export const guardMethods: ReadonlySet<string> = new Set([
  'Cancel',
  'cancel',
  'Dismiss',
  'dismiss',
  'Release',
  'release',
  'Disable',
  'disable',
  'deactivate',
  'Commit',
  'commit',
]);

/** A variable that holds one, which runs what it is given when it ends. */
export function guardOf(name: string, lambda: Value): Cell {
  const record = createRecord(guardClass, false);
  record.fields.set('(pointer)', createCell('(pointer)', pointerTo(createCell('nothing', numberValue(0)))));
  record.fields.set('(deleter)', createCell('(deleter)', lambda));
  return createCell(name, { kind: 'record', record });
}

/** Takes from a guard what it was to run; false for other objects and methods. */
export function dismissGuard(object: Value, method: string): boolean {
  if (object.kind !== 'record' || object.record.className !== guardClass || !guardMethods.has(method)) return false;
  object.record.released = true;
  return true;
}
