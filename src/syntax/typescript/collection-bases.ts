/** Classes that extend `Map`, `Set` or `Array`: the collection is a part of each object, made by `super(…)`. */

import type { Span } from '../../base/span.ts';
import { containerPart } from '../../program/container-part.ts';
import type { MemberInitializer } from '../../program/member-initializer.ts';
import type { Expression } from '../../program/program.ts';
import { languageCall } from './built.ts';
import type { TypeScriptContext } from './lower-expressions.ts';

const collections = new Set(['Map', 'WeakMap', 'Set', 'WeakSet', 'Array']);

/** Whether a class of that name is one of the language's collections, not the program's own. */
export function isCollection(context: TypeScriptContext, base: string): boolean {
  return collections.has(base) && !context.classes.has(base);
}

/** What `super(…)` makes of an object whose class extends a collection. */
export function collectionMade(base: string, values: readonly Expression[], span: Span): MemberInitializer {
  return { name: containerPart, arguments: [languageCall(`new ${base.replace(/^Weak/, '')}`, values, span)] };
}
