/** `TEST_CASE("…") { … }`: a macro that defines a function. */

import type { FunctionDefinition } from '../../program/program.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf } from './lower-context.ts';
import { functionBody } from './lower-functions.ts';
import { unknownType } from './lower-types.ts';

/** The block behind the macro's use, as a function that nobody here calls. */
export function looseBlock(context: LowerContext, node: SyntaxNode): FunctionDefinition {
  const span = spanOf(context, node);
  return {
    name: `(block at ${span.start})`,
    className: null,
    parameters: [],
    returnType: unknownType,
    body: functionBody(context, node),
    memberInitializers: [],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: false,
    isStatic: false,
    span,
    nameSpan: { ...span, end: span.start + 1 },
  };
}
