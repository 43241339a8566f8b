/** How access paths are written, as `model.ts` explains them. */

/** For JSON Schema, too. */
export const accessPathPattern = '^\\*?(?:arg\\d+|return|this)(?:\\[\\*\\]|\\.[\\w$#]+)*$';

const accessPath = new RegExp(accessPathPattern);

/** Whether a text is a path: whatever else a row may say there, no argument answers to it. */
export function isAccessPath(text: unknown): text is string {
  return typeof text === 'string' && accessPath.test(text);
}

/** The paths of the arguments at these places, counted from 0. */
export function argumentPaths(places: readonly number[]): readonly string[] {
  return places.map((place) => `arg${place}`);
}
