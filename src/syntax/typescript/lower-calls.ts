/** Calls and `new` of TypeScript; `Math`, `Map` and their like by the names that the interpreter knows them by. */

import type { Span } from '../../base/span.ts';
import type { Expression } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { childByField, namedChildren, type SyntaxNode } from '../syntax-tree.ts';
import { languageCall, nameAt, textAt } from './built.ts';
import { lowerExpression, spanOf, type TypeScriptContext, textOf } from './lower-expressions.ts';
import { taggedArguments } from './lower-templates.ts';

/** Functions of a namespace import (`cuda.f(…)`) are called by their own name. */
export function lowerCall(context: TypeScriptContext, node: SyntaxNode): Expression {
  const callee = childByField(node, 'function') ?? node.children[0]!;
  const list = childByField(node, 'arguments');
  const span = spanOf(context, node);
  const values = !list
    ? []
    : list.type === 'template_string'
      ? taggedArguments(context, list)
      : namedChildren(list).map((child) => lowerExpression(context, child));
  const inherited = inheritedMethod(context, callee);
  if (inherited) return { kind: 'call', callee: inherited, templateArguments: [], arguments: values, span };
  const written = textOf(context, callee);
  const mathematical = /^Math\.(\w+)$/.exec(written)?.[1];
  const called = mathematical && mathematicalCall(mathematical, values, span);
  if (called) return called;
  if (languageFunctions.has(written) || languageObjects.test(written)) return languageCall(written, values, span);
  const lowered = lowerExpression(context, callee);
  // `o?.f()` where `o` is nothing calls nothing.
  const isOptional = node.children.some(({ type }) => type === '?.' || type === 'optional_chain');
  const target: Expression = isOptional && lowered.kind === 'member' ? { ...lowered, isOptional: true } : lowered;
  return { kind: 'call', callee: target, templateArguments: [], arguments: values, span };
}

/** Functions of the language that are called by their full name. */
const languageFunctions = new Set([
  ...['Array', 'String', 'Number', 'BigInt', 'Boolean', 'Symbol', 'structuredClone'],
  ...['parseInt', 'parseFloat', 'isNaN', 'isFinite'],
]);

/** Objects of the language, which have nothing but such functions. */
const languageObjects = /^(?:Array|Object|Promise|Math|Number|JSON|Symbol|Map)\.[a-z]\w*$/;

/** Classes of the language that the interpreter makes itself. */
const languageClasses = new Set([
  ...['Map', 'WeakMap', 'Set', 'WeakSet', 'Array', 'ArrayBuffer', 'SharedArrayBuffer'],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'],
  ...['Promise', 'DisposableStack', 'AsyncDisposableStack'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
]);

/** `new Planner(…)`, `new Map(…)`. */
export function lowerNew(context: TypeScriptContext, node: SyntaxNode): Expression {
  const callee = childByField(node, 'constructor');
  const list = childByField(node, 'arguments');
  const span = spanOf(context, node);
  const written = callee ? textOf(context, callee) : '';
  const member = callee?.type === 'member_expression' ? lowerExpression(context, callee) : null;
  const named = member?.kind === 'name' ? member.name : written;
  const name = callee?.type === 'this' && context.staticOf ? (context.calledOf?.name ?? context.staticOf) : named;
  const values = list ? namedChildren(list).map((child) => lowerExpression(context, child)) : [];
  if (languageClasses.has(name) && !context.classes.has(name))
    return languageCall(`new ${name.replace(/^Weak/, '')}`, values, span);
  const isNamed = !callee || callee.type === 'identifier' || callee.type === 'this' || member?.kind === 'name';
  if (!isNamed)
    return languageCall('(new)', [lowerExpression(context, callee), textAt(written, span), ...values], span);
  return { kind: 'construct', type: typeNamed(name), arguments: values, isNew: true, span };
}

/** `super.f` of `super.f(…)`. */
function inheritedMethod(context: TypeScriptContext, callee: SyntaxNode): Expression | null {
  const property = childByField(callee, 'property');
  if (!context.baseClass || !property || childByField(callee, 'object')?.type !== 'super') return null;
  return nameAt(`${context.baseClass}::${textOf(context, property)}`, spanOf(context, callee));
}

/** Functions of `Math` that C has by the same name, with how its library calls them. */
const mathematicalNames: Readonly<Record<string, string>> = Object.fromEntries(
  ['ceil', 'floor', 'trunc', 'sqrt', 'cbrt', 'log2', 'log10', 'pow']
    .map((name) => [name, name])
    .concat([['abs', 'fabs']]),
);

/** `Math.ceil(x)`, `Math.max(a, b, c)`; null for what is not known. */
function mathematicalCall(name: string, values: readonly Expression[], span: Span): Expression | null {
  const isChoice = name === 'max' || name === 'min';
  const isSpread = values.some((value) => value.kind === 'unary' && value.operator === '...');
  if (isChoice && isSpread) return languageCall(`Math.${name}`, values, span);
  if (isChoice && values.length > 0)
    return values.slice(1).reduce((before, value) => languageCall(`std::f${name}`, [before, value], span), values[0]!);
  const [value] = values;
  if (name === 'round' && value) {
    const half: Expression = { kind: 'number', value: 0.5, type: 'real', span };
    return languageCall('std::floor', [{ kind: 'binary', operator: '+', left: value, right: half, span }], span);
  }
  const known = Object.hasOwn(mathematicalNames, name) ? mathematicalNames[name] : undefined;
  return known ? languageCall(`std::${known}`, values, span) : null;
}
