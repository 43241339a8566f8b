/** Templates of variables, and concepts: read as class templates with one static member, of the same name. */

import type { ClassDefinition, Declaration } from '../../program/program.ts';
import { specialisedName } from '../../program/specialised-name.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import type { TemplateHead } from './lower-templates.ts';
import { lowerTemplateArguments } from './lower-types.ts';

/** A variable behind a template head, and no member of a class template. `isSpecial`: `template <> constexpr int size<int> = 4;` */
export function isVariableTemplate({ name }: Declaration, { names }: TemplateHead, isSpecial = false): boolean {
  return (names.length > 0 || isSpecial) && !name.includes('::');
}

/** `template <int N> constexpr int twice = N * 2;` is read as a class template with one constant, of the same name. */
export function variableTemplate(
  declared: Declaration,
  { names, defaults }: TemplateHead,
  specialises: ClassDefinition['specialises'] = undefined,
): ClassDefinition {
  return {
    name: specialises ? specialisedName(declared.name, specialises) : declared.name,
    ...(specialises ? { specialises } : {}),
    bases: [],
    fields: [{ ...declared, isStatic: true }],
    methods: [],
    templateParameters: names,
    ...(defaults.length > 0 ? { templateDefaults: defaults } : {}),
    span: declared.span,
  };
}

/** `template <class T> constexpr bool reads<T *> = true;`: for which arguments it is. */
export function constantSpecialised(context: LowerContext, node: SyntaxNode): ClassDefinition['specialises'] {
  const declarator = childByField(node, 'declarator');
  const name = declarator && childByField(declarator, 'declarator');
  const list = name?.type === 'template_function' ? childByField(name, 'arguments') : undefined;
  return list ? lowerTemplateArguments(context, list) : undefined;
}

/** `template <class T> concept Closable = requires(T t) { t.close(); };` */
export function conceptOf(context: LowerContext, node: SyntaxNode, template: TemplateHead): ClassDefinition[] {
  const name = childByField(node, 'name');
  const condition = namedChildren(node).at(-1);
  if (!name || !condition || name === condition) return [];
  const declared: Declaration = {
    name: textOf(context, name),
    type: { ...typeNamed('bool'), isConst: true },
    initializer: lowerExpression(context, condition),
    constructorArguments: null,
    isStatic: true,
    span: spanOf(context, node),
  };
  return [{ ...variableTemplate(declared, template), isConcept: true }];
}
