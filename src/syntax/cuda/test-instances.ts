/**
 * What tests are run with, as macros of GoogleTest say it: `INSTANTIATE_TEST_SUITE_P(Name, Fixture, Values(1, 2))` becomes the method by
 * which a test asks for its value, `TYPED_TEST_SUITE(Fixture, Types<int, float>)` a name for the types.
 */

import { lastPart } from '../../program/full-names.ts';
import { bodyOf } from '../../program/mentions.ts';
import type { Declaration, Expression, FunctionDefinition, Statement, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { typesOfTests } from '../../program/types-of-tests.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { type LowerContext, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerTemplateArguments } from './lower-types.ts';

/** What such a macro adds to the program. */
interface Instances {
  readonly functions: readonly FunctionDefinition[];
  readonly globals: readonly Declaration[];
  readonly aliases: readonly [string, TypeReference][];
}

const none: Instances = { functions: [], globals: [], aliases: [] };

/** More values than these are not told apart. */
const mostValues = 6;

/** What a statement outside of functions says of the tests in a fixture. */
export function testInstances(context: LowerContext, statement: SyntaxNode): Instances {
  const call = namedChildren(statement)[0];
  if (call?.type !== 'call_expression') return none;
  const macro = textOf(context, childByField(call, 'function') ?? call);
  const list = childByField(call, 'arguments');
  const given = list ? namedChildren(list) : [];
  if (/^INSTANTIATE_TEST_(?:SUITE|CASE)_P$/.test(macro)) return valuesGiven(context, call, given);
  if (/^(?:TYPED_TEST_(?:SUITE|CASE)|INSTANTIATE_TYPED_TEST_SUITE_P)$/.test(macro))
    return typesGiven(context, macro.startsWith('INST') ? given.slice(1) : given);
  return none;
}

function typesGiven(context: LowerContext, [fixture, types]: readonly SyntaxNode[]): Instances {
  if (!fixture || !types) return none;
  const innermost = types.type === 'qualified_identifier' ? (childByField(types, 'name') ?? types) : types;
  const list = childByField(innermost, 'arguments');
  const type = list
    ? typeNamed('Types', lowerTemplateArguments(context, list))
    : typeNamed(textOf(context, types).replace(/\s/g, ''));
  return { ...none, aliases: [[typesOfTests(textOf(context, fixture)), type]] };
}

function valuesGiven(
  context: LowerContext,
  call: SyntaxNode,
  [, fixture, generator]: readonly SyntaxNode[],
): Instances {
  if (!fixture || !generator) return none;
  const values = valuesOf(lowerExpression(context, generator)).slice(0, mostValues);
  const [last] = values.slice(-1);
  if (!last) return none;
  const className = textOf(context, fixture);
  const span = spanOf(context, call);
  const which = `(instance of ${className})`;
  const choices = values.slice(0, -1).map((value, index): Statement => {
    const condition = equals({ kind: 'name', name: which, span }, { kind: 'number', value: index, span });
    return { kind: 'if', initializer: null, condition, whenTrue: returning(value), whenFalse: null, span };
  });
  const method: FunctionDefinition = {
    name: `${className}::GetParam`,
    className,
    parameters: [],
    returnType: typeNamed('auto'),
    body: bodyOf([...choices, returning(last)]),
    memberInitializers: [],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: false,
    isStatic: true,
    span,
    nameSpan: spanOf(context, fixture),
  };
  const chosen: Declaration = {
    name: which,
    type: typeNamed('int'),
    initializer: null,
    constructorArguments: null,
    isStatic: false,
    isElsewhere: true,
    span,
  };
  return { functions: [method], globals: choices.length > 0 ? [chosen] : [], aliases: [] };
}

function equals(left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator: '==', left, right, span: left.span };
}

function returning(value: Expression): Statement {
  return { kind: 'return', value, span: value.span };
}

/** The values that a generator of GoogleTest stands for, as far as they are written there; of others none. */
function valuesOf(generator: Expression): readonly Expression[] {
  if (generator.kind !== 'call' || generator.callee.kind !== 'name') return [];
  const { arguments: given, span } = generator;
  const [first] = given;
  switch (lastPart(generator.callee.name)) {
    case 'Values':
      return given;
    case 'Bool':
      return [0, 1].map((value) => ({ kind: 'number', value, span }));
    case 'Range':
      return first ? [first] : [];
    case 'ValuesIn':
      if (first?.kind === 'list') return first.elements.map(({ value }) => value);
      return first ? [{ kind: 'index', object: first, index: { kind: 'number', value: 0, span }, span }] : [];
    case 'Combine':
      return given
        .map(valuesOf)
        .reduce<readonly (readonly Expression[])[]>(
          (tuples, values) => tuples.flatMap((tuple) => values.map((value) => [...tuple, value])),
          [[]],
        )
        .map((parts) => tupleOf(parts, span));
    default:
      return [];
  }
}

function tupleOf(parts: readonly Expression[], span: Expression['span']): Expression {
  const callee: Expression = { kind: 'name', name: 'std::make_tuple', span };
  return { kind: 'call', callee, templateArguments: [], arguments: parts, span };
}
