/** Functions, kernels, methods, classes. */

import type { FunctionBody } from '../../program/function-body.ts';
import type { MemberInitializer } from '../../program/member-initializer.ts';
import { bodyOf } from '../../program/mentions.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  Parameter,
  TypeReference,
} from '../../program/program.ts';
import { retyped } from '../../program/retyped.ts';
import { specialisedName } from '../../program/specialised-name.ts';
import { isType } from '../../program/type-named.ts';
import { childByField, childOfType, childrenByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { basesOf, hidesFields, takenOver } from './class-heads.ts';
import { functionPointer, withTaken } from './function-types.ts';
import { alignmentIn, isPacked, packingIn, takesNoRoom } from './lower-attributes.ts';
import { constraintOfParameter, enabledBy, meaningsOf, requiredBy } from './lower-constraints.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { enumType, lowerAliases, lowerDeclaration, lowerEnumerators } from './lower-declarations.ts';
import { lowerArguments, lowerExpression } from './lower-expressions.ts';
import { lowerBody } from './lower-statements.ts';
import { noTemplate, type TemplateHead, templateHeadOf } from './lower-templates.ts';
import {
  applyDeclarator,
  type Declared,
  lowerDeclarator,
  lowerTemplateArguments,
  lowerType,
  qualifiedName,
  targetType,
  templateOfName,
  trailingType,
  unknownType,
} from './lower-types.ts';
import { isVariableTemplate, variableTemplate } from './lower-variable-templates.ts';
import { neverReturns, runsBesideMain } from './never-returns.ts';
import { isForObject } from './object-parameters.ts';

/** What a function takes: its parameters, and apart from them the one for its object, `this auto &self`. */
export function lowerTaken(
  context: LowerContext,
  list: SyntaxNode | undefined,
): Pick<FunctionDefinition, 'parameters' | 'objectParameter'> {
  const parameters = list ? lowerParameters(context, list) : [];
  const first = list && namedChildren(list)[0];
  if (!first || !isForObject(context.text.slice(list.start, first.start))) return { parameters };
  const [objectParameter, ...rest] = parameters;
  return { parameters: rest, ...(objectParameter ? { objectParameter } : {}) };
}

export function lowerParameters(context: LowerContext, list: SyntaxNode): Parameter[] {
  const parameters: Parameter[] = [];
  for (const child of namedChildren(list)) {
    if (!child.type.endsWith('parameter_declaration')) continue;
    const declared = lowerDeclarator(context, childByField(child, 'declarator'));
    const defaultNode = childByField(child, 'default_value');
    const constrained = constraintOfParameter(context, child);
    const written = lowerType(context, child);
    const type = applyDeclarator(constrained ? { ...written, name: constrained.parameter } : written, declared);
    if (type.name === 'void' && type.pointers === 0 && !declared.name) continue;
    parameters.push({
      name: declared.name,
      type: declared.functionDeclarator
        ? withTaken(
            context,
            { ...type, name: 'std::function', arguments: parameterTypes(context, declared.functionDeclarator) },
            declared,
          )
        : asGiven(type),
      defaultValue: defaultNode ? lowerExpression(context, defaultNode) : null,
      isPack: child.type === 'variadic_parameter_declaration',
      span: spanOf(context, declared.nameNode ?? child),
    });
  }
  return parameters;
}

/** `int a[10]` is given as a pointer to its first element. */
function asGiven(type: TypeReference): TypeReference {
  if (type.isReference || type.pointers > 0 || type.extents.length !== 1) return type;
  return retyped(type, { pointers: 1, extents: [] });
}

/** What a function that is pointed to takes: `int` and `P...` of `void (*f)(int, P...)`. */
function parameterTypes(context: LowerContext, declarator: SyntaxNode): TypeReference[] {
  const list = childByField(declarator, 'parameters');
  const parameters = list ? lowerParameters(context, list) : [];
  return parameters.map(({ type, isPack }) => (isPack ? { ...type, name: `${type.name}...` } : type));
}

/** A function definition or declaration; null when the node declares no function. `className` for members. */
export function lowerFunction(
  context: LowerContext,
  node: SyntaxNode,
  className: string | null,
  { names, defaults, outer = [], constraints: ofHead = [] }: TemplateHead,
): FunctionDefinition | null {
  const declared = lowerDeclarator(context, childByField(node, 'declarator'));
  if (!declared.functionDeclarator) return null;
  const parametersNode = childByField(declared.functionDeclarator, 'parameters');
  const placeholders = (parametersNode ? namedChildren(parametersNode) : []).flatMap(
    (child) => constraintOfParameter(context, child) ?? [],
  );
  const templateParameters =
    placeholders.length > 0 ? [...names, ...placeholders.map(({ parameter }) => parameter)] : names;
  const result = names.length > 0 ? childByField(node, 'type') : undefined;
  const taken = lowerTaken(context, parametersNode);
  const { parameters } = taken;
  const constraints = [
    ...ofHead,
    ...(names.length > 0 ? meaningsOf(context, declared.functionDeclarator, parameters) : []),
    ...(result ? enabledBy(context, result) : []),
    ...placeholders.map(({ constraint }) => constraint),
    ...requiredBy(context, declared.functionDeclarator),
  ];
  const body = childByField(node, 'body') ?? childOfType(node, 'compound_statement', 'try_statement');
  const specifiers = node.children
    .filter((child) => child.named || child.type.startsWith('__'))
    .map((child) => textOf(context, child).slice(0, 40));
  let name = declared.name;
  let owner = className;
  if (!owner && name.includes('::')) {
    owner = name.slice(0, name.lastIndexOf('::'));
    name = name.slice(name.lastIndexOf('::') + 2);
  }
  const initializers =
    childOfType(node, 'field_initializer_list') ?? (body && childOfType(body, 'field_initializer_list'));
  const isTried = body?.type === 'try_statement' && owner !== null && name === owner.slice(owner.lastIndexOf('::') + 1);
  const template = declared.nameNode ? templateOfName(context, declared.nameNode) : undefined;
  if (owner && template?.qualifier && !isPrimary(template.qualifier.arguments, [...outer, ...templateParameters]))
    owner = specialisedName(owner, template.qualifier.arguments);
  name = nameInSpecialisation(name, owner);
  return {
    name: owner ? `${owner}::${name}` : name,
    className: owner,
    ...taken,
    ...(parametersNode?.children.some(({ type }) => type === '...') ? { takesAnything: true } : {}),
    returnType: trailingType(context, declared.functionDeclarator) ?? {
      ...returnTypeOf(context, declared.conversion ?? node, declared),
      ...(declared.takesMoved ? { takesMoved: true } : {}),
    },
    body: body ? functionBody(context, body) : null,
    memberInitializers: initializers
      ? namedChildren(initializers).map((child) => lowerMemberInitializer(context, child))
      : [],
    ...(isTried ? { isTried } : {}),
    templateParameters,
    ...(defaults.length > 0 ? { templateDefaults: defaults } : {}),
    ...(constraints.length > 0 ? { constraints } : {}),
    ...(template && template.arguments.length > 0 ? { specialises: template.arguments } : {}),
    isKernel: specifiers.includes('__global__'),
    isDevice: specifiers.includes('__device__') && !specifiers.includes('__host__'),
    isVirtual: node.children.some((child) => child.type === 'virtual') || specifiers.includes('virtual'),
    isStatic: specifiers.includes('static'),
    ...(neverReturns(context, node) ? { neverReturns: true } : {}),
    ...runsBesideMain(context, node),
    isConst: namedChildren(declared.functionDeclarator).some((child) => child.type === 'type_qualifier'),
    ...(isForMoved(context, declared.functionDeclarator) ? { isForMoved: true } : {}),
    isDefaulted: childOfType(node, 'default_method_clause', 'delete_method_clause') !== undefined,
    span: spanOf(context, node),
    nameSpan: spanOf(context, declared.nameNode ?? node),
  };
}

/** `T &T::operator=(T &&) = default;` outside its class, which reads like a variable that is initialised; null for all else. */
export function lowerDefaulted(
  context: LowerContext,
  node: SyntaxNode,
  template: TemplateHead,
): FunctionDefinition | null {
  const declarator = childByField(node, 'declarator');
  const value = declarator?.type === 'init_declarator' ? childByField(declarator, 'value') : null;
  if (!value || !/^(?:default|delete)$/.test(textOf(context, value))) return null;
  const lowered = lowerFunction(context, declarator!, null, template);
  return lowered && { ...lowered, isDefaulted: true };
}

/** `f() &&`. */
function isForMoved(context: LowerContext, declarator: SyntaxNode): boolean {
  const qualifier = childOfType(declarator, 'ref_qualifier');
  return qualifier !== undefined && textOf(context, qualifier) === '&&';
}

/** `S<T>` where `T` is the template's own parameter. */
function isPrimary(list: readonly (TypeReference | Expression)[], parameters: readonly string[]): boolean {
  return list.every((each) => {
    const isBare = isType(each) && each.pointers === 0 && each.extents.length === 0 && !each.isReference;
    const name = isBare ? each.name : !isType(each) && each.kind === 'name' ? each.name : '';
    return parameters.some((parameter) => parameter === name || parameter === `${name.replace('...', '')}...`);
  });
}

/** A function's statements, or the promise to read them. */
export function functionBody(context: LowerContext, body: SyntaxNode): FunctionBody {
  const later = context.later?.(body.start);
  if (later) return later;
  return bodyOf(
    body.type === 'compound_statement' ? lowerBody(context, body) : lowerBody(context, { ...body, children: [body] }),
  );
}

function returnTypeOf(context: LowerContext, node: SyntaxNode, declared: Declared): TypeReference {
  if (!childByField(node, 'type')) return unknownType;
  const { pointers, isReference } = declared;
  return retyped(targetType(lowerType(context, node), declared), { pointers, isReference });
}

function lowerMemberInitializer(context: LowerContext, node: SyntaxNode): MemberInitializer {
  const [name, list] = namedChildren(node);
  return {
    name: name ? qualifiedName(context, name).name : '',
    arguments: list ? lowerArguments(context, list) : [],
    ...(list?.type === 'initializer_list' ? { isList: true } : {}),
  };
}

export function isClassSpecifier({ type }: SyntaxNode): boolean {
  return type === 'struct_specifier' || type === 'class_specifier' || type === 'union_specifier';
}

/** A class or struct with its fields and methods; null when it has no body. Nested classes go to `nested`. */
export function lowerClass(
  context: LowerContext,
  node: SyntaxNode,
  { names: templateParameters, defaults }: TemplateHead,
  nested: ClassDefinition[],
): ClassDefinition | null {
  const body = childByField(node, 'body');
  if (!body) return null;
  const written = qualifiedName(context, node).name;
  const end = written.lastIndexOf('::');
  const plain = written.slice(end + 1).replace(/^:/, '');
  const list = childByField(node, 'name') ? qualifiedName(context, childByField(node, 'name')!).template : null;
  const specialises = list ? lowerTemplateArguments(context, list) : null;
  const name = specialises ? specialisedName(plain, specialises) : plain;
  const fields: Declaration[] = [];
  const methods: FunctionDefinition[] = [];
  const aliases: [string, TypeReference][] = [];
  const member = (child: SyntaxNode, template: TemplateHead): void => {
    if (child.type === 'template_declaration') {
      const inner = namedChildren(child).at(-1);
      if (inner) member(inner, templateHeadOf(context, child));
      return;
    }
    if (child.type === 'friend_declaration') {
      const inner = namedChildren(child).find((each) => each.type === 'function_definition');
      // In a class template there is one for each of its instances.
      const names = [...template.names, ...templateParameters];
      // `friend bool operator==(const S &, const S &) = default;`
      const left = inner ? undefined : namedChildren(child).find((each) => each.type === 'declaration');
      const friend = inner
        ? lowerFunction(context, inner, null, { ...template, names })
        : left && lowerDefaulted(context, left, { ...template, names });
      if (friend) methods.push(templateParameters.length > 0 ? { ...friend, friendOf: name } : friend);
      return;
    }
    if (isClassSpecifier(child)) {
      const inner = lowerClass(context, child, template, nested);
      if (inner) nested.push({ ...inner, enclosing: name });
      return;
    }
    if (child.type === 'alias_declaration' || child.type === 'type_definition') {
      const type = childByField(child, 'type');
      const inner = type && isClassSpecifier(type) ? lowerClass(context, type, noTemplate, nested) : null;
      if (inner) nested.push({ ...inner, enclosing: name });
      for (const [alias, meant] of lowerAliases(context, child))
        aliases.push([alias, template.names.length > 0 ? { ...meant, parameters: template.names } : meant]);
    }
    const enumeration = child.type === 'enum_specifier' ? child : childOfType(child, 'enum_specifier');
    if (enumeration) {
      aliases.push(...enumType(context, enumeration, childByField(child, 'declarator') !== undefined));
      for (const statement of lowerEnumerators(context, enumeration))
        if (statement.kind === 'declare')
          fields.push(...statement.declarations.map((each) => ({ ...each, isStatic: true })));
    }
    if (child.type === 'function_definition' || child.type === 'field_declaration' || child.type === 'declaration') {
      const type = childByField(child, 'type');
      if (type && isClassSpecifier(type)) {
        const inner = lowerClass(context, type, noTemplate, nested);
        // `union { int a; float b; };`: its members are the class's own.
        if (inner && !childByField(type, 'name') && !childByField(child, 'declarator')) {
          const isRow = node.type === 'union_specifier' && type.type === 'struct_specifier';
          fields.push(...(isRow ? inner.fields.map((each) => ({ ...each, structAt: type.start })) : inner.fields));
          methods.push(...inner.methods);
          return;
        }
        if (inner) nested.push({ ...inner, enclosing: name });
      }
      const method = isFunctionPointer(child) ? null : lowerFunction(context, child, name, template);
      if (method) methods.push(method);
      else if (child.type !== 'function_definition')
        for (const field of lowerField(context, child))
          if (field.isStatic && isVariableTemplate(field, template))
            nested.push({ ...variableTemplate(field, template), enclosing: name });
          else fields.push(field);
    } else if (child.type.startsWith('preproc_')) for (const inner of namedChildren(child)) member(inner, template);
  };
  for (const child of namedChildren(body)) member(child, noTemplate);
  const { bases, virtualBases } = basesOf(context, node);
  return {
    name,
    bases: bases.map((base) => base.name),
    ...(end > 0 ? { within: written.slice(0, end) } : {}),
    ...(bases.some((base) => base.arguments.length > 0) ? { baseTypes: bases } : {}),
    ...(virtualBases.length > 0 ? { virtualBases } : {}),
    ...(hidesFields(context, node, body) ? { hidesFields: true } : {}),
    ...takenOver(context, body),
    ...(specialises ? { specialises } : {}),
    ...alignmentIn(context, node),
    ...packingIn(context, node),
    fields: node.type === 'union_specifier' ? fields.map((each) => ({ unionAt: node.start, ...each })) : fields,
    methods,
    templateParameters,
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(defaults.length > 0 ? { templateDefaults: defaults } : {}),
    span: spanOf(context, node),
  };
}

/** `void (*f)(int)` is a field although it has a function declarator. */
function isFunctionPointer(node: SyntaxNode): boolean {
  let current = childByField(node, 'declarator');
  while (current && current.type !== 'function_declarator') current = childByField(current, 'declarator');
  const inner = current ? childByField(current, 'declarator') : undefined;
  return inner?.type === 'parenthesized_declarator';
}

function lowerField(context: LowerContext, node: SyntaxNode): Declaration[] {
  if (node.type === 'declaration') return lowerDeclaration(context, node);
  const type = lowerType(context, node);
  const isStatic = node.children.some(
    (child) => child.type === 'storage_class_specifier' && textOf(context, child) === 'static',
  );
  const attributes = {
    ...alignmentIn(context, node),
    ...(isPacked(context, node) ? { isPacked: true } : {}),
    ...(takesNoRoom(context, node) ? { takesNoRoom: true } : {}),
  };
  const declarators = childrenByField(node, 'declarator');
  return declarators.map((declarator, index) => {
    const declared = lowerDeclarator(context, declarator);
    const next = declarators[index + 1];
    const value = node.children.find(
      (child) =>
        child.field === 'default_value' && child.start >= declarator.end && (!next || child.start < next.start),
    );
    const initializer = value ? lowerExpression(context, value) : null;
    const clause = node.children.find(
      (child) =>
        child.type === 'bitfield_clause' && child.start >= declarator.end && (!next || child.start < next.start),
    );
    const width = clause && namedChildren(clause)[0];
    return {
      name: declared.name,
      type: declared.functionDeclarator ? functionPointer(context, declared) : applyDeclarator(type, declared),
      initializer,
      constructorArguments: null,
      isStatic,
      ...attributes,
      ...(width ? { bits: lowerExpression(context, width) } : {}),
      span: spanOf(context, declared.nameNode ?? declarator),
    };
  });
}

/** A constructor and a destructor go by the name of their class: in `Owner<T[]>`, `Owner()` is that of the specialisation. */
function nameInSpecialisation(name: string, owner: string | null): string {
  const end = owner?.indexOf('<') ?? -1;
  if (!owner || end < 0) return name;
  const whole = owner.slice(owner.lastIndexOf('::', end) + 1).replace(/^:/, '');
  const plain = whole.slice(0, whole.indexOf('<'));
  return name === plain ? whole : name === `~${plain}` ? `~${whole}` : name;
}
