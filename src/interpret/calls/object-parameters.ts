/** `this T &self`: a parameter for the object that a method is called on, or for the lambda itself. */

import type { Span } from '../../base/span.ts';
import type { FunctionDefinition } from '../../program/program.ts';
import { createCell, type Value } from '../value.ts';
import type { Argument } from './call.ts';

type Taking = Pick<FunctionDefinition, 'parameters' | 'objectParameter'>;

/** A function with all that it takes among its parameters, and what each of them is given. */
export function withObject<T extends Taking>(
  definition: T,
  values: readonly Argument[],
  object: Value | null,
  span: Span,
): { readonly taking: T; readonly given: readonly Argument[] } {
  const { objectParameter, parameters } = definition;
  if (!objectParameter || !object) return { taking: definition, given: values };
  const own: Argument = { value: object, cell: createCell(objectParameter.name, object), span };
  return { taking: { ...definition, parameters: [objectParameter, ...parameters] }, given: [own, ...values] };
}
