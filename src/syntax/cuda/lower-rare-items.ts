/** Top-level items that stand for something else: templates of variables, and blocks behind a macro's use. */

import type { ClassDefinition, Declaration, FunctionDefinition } from '../../program/program.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf } from './lower-context.ts';
import { functionBody } from './lower-functions.ts';
import type { TemplateHead } from './lower-templates.ts';
import { unknownType } from './lower-types.ts';

export function isVariableTemplate({ name, type }: Declaration, { names }: TemplateHead): boolean {
  return names.length > 0 && type.isConst && !name.includes('::');
}

/** `template <int N> constexpr int twice = N * 2;` is read as a class template with one constant, of the same name. */
export function variableTemplate(declared: Declaration, { names, defaults }: TemplateHead): ClassDefinition {
  return {
    name: declared.name,
    bases: [],
    fields: [{ ...declared, isStatic: true }],
    methods: [],
    templateParameters: names,
    ...(defaults.length > 0 ? { templateDefaults: defaults } : {}),
    span: declared.span,
  };
}

/** `TEST_CASE("…") { … }`: a macro that defines a function; its block is one that nobody here calls. */
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
