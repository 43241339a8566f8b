/**
 * Where in the memory behind a pointer a kernel begins, by the numbers that a launch gives it: `a[first + i]` begins at `first`, and what
 * stands behind `if (rank == 0)` is touched by one rank only.
 */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { Expression, FunctionDefinition, Parameter, Statement } from '../../program/program.ts';
import { pointee } from '../../program/retyped.ts';
import { childNodes, eachNode, isNode } from '../../program/walk.ts';
import { lastPart } from '../program-table.ts';
import { bytesOfType } from '../types/type-bytes.ts';
import type { World } from '../world.ts';
import { aliasesOf, isPlace, pointsInto } from './kernel-access.ts';

/** What each parameter is given; null for what is no number, or none that is known. */
export type Given = readonly (number | null)[];

/** A condition that holds, or does not, where something is done. */
interface Guard {
  readonly condition: Expression;
  readonly holds: boolean;
}

interface Place {
  readonly address: Expression;
  readonly guards: readonly Guard[];
}

interface Body {
  readonly places: readonly Place[];
  readonly aliases: ReadonlySet<string>;
  /** What locals begin as. */
  readonly locals: ReadonlyMap<string, Expression | null>;
}

const noBody: Body = { places: [], aliases: new Set(), locals: new Map() };

/** By program: what is a macro in one is none in another. */
const answers = rememberedByProgram<Parameter, Body>();

/** Bytes behind the pointer at which the kernel begins to touch that memory: 0 unless its body says otherwise, null where that is not known. */
export function bytesBefore(world: World, definition: FunctionDefinition, index: number, given: Given): number | null {
  const parameter = definition.parameters[index];
  if (!parameter || parameter.type.pointers === 0 || !definition.body) return 0;
  const body = answers(world.program).get(parameter, noBody, () => bodyOf(definition, parameter.name));
  if (body.places.length === 0) return 0;
  const reading: Reading = { definition, given, body, guards: [], pointee: parameter.type.name, depth: 0 };
  const reached = body.places.filter(({ guards }) =>
    guards.every(({ condition, holds }) => truthOf(reading, condition) !== !holds),
  );
  if (reached.length === 0) return null;
  const starts = reached.map(({ address, guards }) => elementOf({ ...reading, guards }, address));
  if (starts.includes(0)) return 0;
  if (starts.includes(null)) return null;
  const bytes = bytesOfType(world, pointee(parameter.type));
  return bytes === null ? null : Math.min(...starts.map((start) => start ?? 0)) * bytes;
}

function bodyOf(definition: FunctionDefinition, pointer: string): Body {
  const statements = definition.body?.statements ?? [];
  const aliases = aliasesOf(statements, pointer);
  const places: Place[] = [];
  const locals = new Map<string, Expression | null>();
  eachNode(statements, (node) => {
    if (node.kind === 'declare')
      for (const { name, initializer } of node.declarations) if (!locals.has(name)) locals.set(name, initializer);
  });
  collect(statements, [], aliases, places);
  return { places, aliases, locals };
}

function collect(node: object, guards: readonly Guard[], aliases: ReadonlySet<string>, places: Place[]): void {
  if (Array.isArray(node)) {
    let held = guards;
    for (const each of node as readonly object[]) {
      if (typeof each !== 'object' || each === null) continue;
      collect(each, held, aliases, places);
      if (isNode(each) && each.kind === 'if' && !each.whenFalse && leaves(each.whenTrue))
        held = [...held, { condition: each.condition, holds: false }];
    }
    return;
  }
  if (isNode(node)) {
    if (node.kind === 'if') {
      collect(node.condition, guards, aliases, places);
      collect(node.whenTrue, [...guards, { condition: node.condition, holds: true }], aliases, places);
      if (node.whenFalse)
        collect(node.whenFalse, [...guards, { condition: node.condition, holds: false }], aliases, places);
      return;
    }
    if (node.kind === 'call') {
      for (const argument of node.arguments)
        if (pointsInto(argument, aliases)) places.push({ address: argument, guards });
    } else if ((node.kind === 'index' || node.kind === 'unary' || node.kind === 'member') && isPlace(node, aliases))
      places.push({ address: node, guards });
  }
  for (const child of childNodes(node)) collect(child, guards, aliases, places);
}

function leaves(statement: Statement): boolean {
  if (statement.kind === 'block') {
    const last = statement.body.at(-1);
    return last !== undefined && leaves(last);
  }
  return statement.kind === 'return';
}

interface Reading {
  readonly definition: FunctionDefinition;
  readonly given: Given;
  readonly body: Body;
  /** What holds where the memory is touched. */
  readonly guards: readonly Guard[];
  /** What the parameter points at. */
  readonly pointee: string;
  readonly depth: number;
}

/** How many elements behind the pointer an address lies, for the first of all threads. */
function elementOf(reading: Reading, address: Expression): number | null {
  const { aliases } = reading.body;
  switch (address.kind) {
    case 'index':
      return pointsInto(address.object, aliases)
        ? further(reading, address.object, countOf(reading, address.index))
        : elementOf(reading, address.object);
    case 'unary':
    case 'cast': {
      const element = elementOf(reading, address.operand);
      return address.kind === 'unary' || element === 0 ? element : null;
    }
    case 'member':
      return elementOf(reading, address.object);
    case 'binary': {
      const isLeft = pointsInto(address.left, aliases);
      const count = countOf(reading, isLeft ? address.right : address.left);
      const sign = address.operator === '-' ? -1 : 1;
      return further(reading, isLeft ? address.left : address.right, count === null ? null : sign * count);
    }
    case 'name': {
      const initial = reading.body.locals.get(address.name);
      return initial && reading.depth < 4 ? elementOf({ ...reading, depth: reading.depth + 1 }, initial) : 0;
    }
    default:
      return 0;
  }
}

/** So many elements behind an address: not as many of the parameter's where the address was cast to point at something else. */
function further(reading: Reading, address: Expression, count: number | null): number | null {
  if (count !== 0 && pointsAtOthers(reading, address, 0)) return null;
  return sum(elementOf(reading, address), count);
}

function pointsAtOthers(reading: Reading, address: Expression, depth: number): boolean {
  if (address.kind === 'cast') return address.type.name !== reading.pointee;
  const initial = address.kind === 'name' ? reading.body.locals.get(address.name) : undefined;
  return initial !== null && initial !== undefined && depth < 4 && pointsAtOthers(reading, initial, depth + 1);
}

/** A number for the first of all threads: 0 for what hangs on the thread or is not read, null for what is not known but given from outside. */
function countOf(reading: Reading, expression: Expression): number | null {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'cast':
      return countOf(reading, expression.operand);
    case 'unary': {
      const count =
        expression.operator === '-' || expression.operator === '+' ? countOf(reading, expression.operand) : 0;
      return expression.operator === '-' && count !== null ? -count : count;
    }
    case 'member':
      return expression.object.kind === 'name' && /^(?:blockDim|gridDim)$/.test(expression.object.name) ? null : 0;
    case 'name':
      return countNamed(reading, expression.name);
    case 'binary':
      return combined(expression.operator, countOf(reading, expression.left), () => countOf(reading, expression.right));
    default:
      return 0;
  }
}

function countNamed(reading: Reading, name: string): number | null {
  if (reading.body.locals.has(name)) {
    const initial = reading.body.locals.get(name);
    const count = initial && reading.depth < 8 ? countOf({ ...reading, depth: reading.depth + 1 }, initial) : 0;
    return reading.guards.reduce((least, guard) => atLeast(reading, name, guard, least), count);
  }
  const at = reading.definition.parameters.findIndex((parameter) => parameter.name === name);
  return at < 0 ? null : (reading.given[at] ?? null);
}

/** The least that a local is where a condition holds, or does not: `if (first <= i && i < end)`. Null where that is not known. */
function atLeast(reading: Reading, name: string, { condition, holds }: Guard, count: number | null): number | null {
  if (condition.kind !== 'binary' || count === null) return count;
  const { operator, left, right } = condition;
  if (operator === (holds ? '&&' : '||'))
    return [left, right].reduce((least: number | null, part) => {
      return atLeast(reading, name, { condition: part, holds }, least);
    }, count);
  const isLeft = left.kind === 'name' && left.name === name;
  const isRight = right.kind === 'name' && right.name === name;
  if (isLeft === isRight) return count;
  const [below, belowOrAt] = isLeft === holds ? ['>', '>='] : ['<', '<='];
  if (operator !== below && operator !== belowOrAt) return count;
  const other = isLeft ? right : left;
  // A written number only leaves out the edge of what all touch.
  if (other.kind === 'number') return count;
  const bound = countOf({ ...reading, guards: [] }, other);
  return bound === null ? null : Math.max(count, bound);
}

function combined(operator: string, left: number | null, right: () => number | null): number | null {
  switch (operator) {
    case '+':
      return sum(left, right());
    case '-': {
      const taken = right();
      return left === null || taken === null ? null : left - taken;
    }
    case '*': {
      const factor = left === 0 ? 0 : right();
      return factor === 0 ? 0 : left === null || factor === null ? null : left * factor;
    }
    case '/': {
      const divisor = left === 0 ? null : right();
      return left === 0 ? 0 : left === null || !divisor ? null : Math.trunc(left / divisor);
    }
    default:
      return 0;
  }
}

function sum(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

/** Whether a condition holds, as far as the numbers given say; null where they do not. */
function truthOf(reading: Reading, condition: Expression): boolean | null {
  if (condition.kind === 'unary' && condition.operator === '!') {
    const truth = truthOf(reading, condition.operand);
    return truth === null ? null : !truth;
  }
  if (condition.kind === 'binary') {
    const { operator } = condition;
    if (operator === '&&' || operator === '||') {
      const parts = [truthOf(reading, condition.left), truthOf(reading, condition.right)];
      const decides = operator === '||';
      if (parts.includes(decides)) return decides;
      return parts.includes(null) ? null : !decides;
    }
    const left = givenNumber(reading, condition.left);
    const right = givenNumber(reading, condition.right);
    if (left === null || right === null) return null;
    if (operator === '==') return left === right;
    if (operator === '!=') return left !== right;
    return null;
  }
  const number = givenNumber(reading, condition);
  return number === null ? null : number !== 0;
}

/** A number that is written or given, without what threads make of it. */
function givenNumber(reading: Reading, expression: Expression): number | null {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'cast') return givenNumber(reading, expression.operand);
  if (expression.kind !== 'name' || reading.body.locals.has(expression.name)) return null;
  const at = reading.definition.parameters.findIndex(({ name }) => name === lastPart(expression.name));
  return at < 0 ? null : (reading.given[at] ?? null);
}
