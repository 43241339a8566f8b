/**
 * What an algorithm of a library does to memory through the functions it is given: to what a lambda has captured and an object of a class
 * with `operator()` holds, and to the elements that it calls them with. Read as a kernel that makes one such call.
 */

import { bodyOf } from '../../program/mentions.ts';
import type { Expression, FunctionDefinition, Parameter } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import type { Access } from '../../trace/event.ts';
import type { Argument } from '../calls/call.ts';
import { type Cell, createCell } from '../value.ts';
import type { EffectContext } from './apply-model.ts';
import { addKernelAccesses } from './kernel-arguments.ts';

/** `elements`: the argument that is the address of what the function is called with; null where it is called with something else. */
export function functorAccesses(context: EffectContext, elements: Cell | null): readonly Access[] {
  const out: Access[] = [];
  const others: Cell[] = [];
  for (const given of context.arguments) {
    const cell = given.cell ?? createCell('', given.value);
    const count = parametersOf(context, given);
    if (count === null) others.push(cell);
    else addKernelAccesses(context, out, callWith(count, elements !== null), elements ? [cell, elements] : [cell]);
  }
  // What is behind an iterator is used, nobody knows how.
  const isCalled = others.length < context.arguments.length && elements?.value.kind === 'device';
  const isUsed = ({ value }: Cell): boolean => value.kind === 'record' || (elements !== null && !isCalled);
  addKernelAccesses(context, out, undefined, others.filter(isUsed));
  return out;
}

/** How many arguments the function takes; null for what is none. */
function parametersOf({ world }: EffectContext, { value }: Argument): number | null {
  if (value.kind === 'closure') return value.lambda.parameters.length;
  if (value.kind !== 'record') return null;
  const [method] = world.program.functions.get(`${value.record.className}::operator()`) ?? [];
  return method ? method.parameters.length : null;
}

const calls = new Map<string, FunctionDefinition>();

/** `f(*elements)` or `f(something, something)`. */
function callWith(count: number, onElements: boolean): FunctionDefinition {
  const key = `${count} ${onElements}`;
  const known = calls.get(key) ?? definitionOf(count, onElements);
  calls.set(key, known);
  return known;
}

const span = { file: '', start: 0, end: 0 };

function definitionOf(count: number, onElements: boolean): FunctionDefinition {
  const name = (text: string): Expression => ({ kind: 'name', name: text, span });
  const element: Expression = { kind: 'unary', operator: '*', operand: name('(elements)'), span };
  const given = Array.from({ length: count }, (): Expression => (onElements ? element : name('(something)')));
  const call: Expression = { kind: 'call', callee: name('(f)'), templateArguments: [], arguments: given, span };
  const parameter = (text: string, type: string): Parameter => {
    return { name: text, type: typeNamed(type), defaultValue: null, isPack: false, span };
  };
  const parameters = [parameter('(f)', '(F)'), ...(onElements ? [parameter('(elements)', '(It)')] : [])];
  return {
    name: '(algorithm)',
    className: null,
    parameters,
    returnType: typeNamed('void'),
    body: bodyOf([{ kind: 'expression', expression: call, span }]),
    memberInitializers: [],
    templateParameters: ['(F)', '(It)'],
    isKernel: true,
    isDevice: true,
    isVirtual: false,
    isStatic: false,
    span,
    nameSpan: span,
  };
}
