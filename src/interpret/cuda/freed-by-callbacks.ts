/** Functions that the host runs for a stream or a graph, and that surely free what they are called with: each call needs something else. */

import type { Expression, FunctionDefinition, Statement, TypeReference } from '../../program/program.ts';
import { eachNode, someNode } from '../../program/walk.ts';
import { lastPart, resolveType } from '../program-table.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';

/** Functions within functions that are followed. */
const deepest = 4;

/** Whether such a function frees what it is called with, whatever happens. */
export function freesWhatItIsGiven(world: World, called: Value): boolean {
  const held = called.kind === 'pointer' ? called.cell.value : called;
  if (held.kind === 'closure') {
    const { parameters, body } = held.lambda;
    const name = parameters[0]?.name;
    return name !== undefined && freedIn({ world, names: new Map([[name, null]]), depth: 0 }, body) === true;
  }
  const only = held.kind === 'function' ? onlyOne(world, held.name) : null;
  // A callback of a stream is told the stream and how it went, too.
  return only !== null && freesParameter(world, only, only.parameters.length - 1, 0);
}

/** Names that what was given goes by, with the types that they say it is of. */
interface Place {
  readonly world: World;
  readonly names: Map<string, TypeReference | null>;
  readonly depth: number;
}

function onlyOne({ program }: World, name: string): FunctionDefinition | null {
  const [only, other] = program.functions.get(name) ?? program.functions.get(lastPart(name)) ?? [];
  return only?.body && !other && !only.isVirtual ? only : null;
}

function freesParameter(world: World, { parameters, body }: FunctionDefinition, index: number, depth: number): boolean {
  const parameter = parameters[index];
  if (!body || !parameter || parameter.name === '' || depth > deepest) return false;
  const names = new Map([[parameter.name, parameter.type]]);
  return freedIn({ world, names, depth }, body.statements) === true;
}

/** Whether it is freed in these; null where nothing is said and what comes behind them may be left out. */
function freedIn(place: Place, statements: readonly Statement[]): boolean | null {
  for (const [index, statement] of statements.entries()) {
    const behind = statements.slice(index + 1);
    const freed = freedBy(place, statement, behind);
    if (freed !== false) return freed;
  }
  return false;
}

function freedBy(place: Place, statement: Statement, behind: readonly Statement[]): boolean | null {
  switch (statement.kind) {
    case 'block':
      return freedIn(place, statement.body);
    case 'declare':
      for (const { name, type, initializer, constructorArguments } of statement.declarations) {
        const given = initializer ?? constructorArguments?.[0] ?? null;
        const owned = given && (isOwner(place.world, type) ? unwrapped(given) : ownedBy(place.world, given));
        if (owned && isGiven(place, owned)) return !goesOn(name, behind);
        if (given && isGiven(place, given)) place.names.set(name, typeOf(place, given) ?? type);
      }
      return false;
    case 'expression':
      return frees(place, statement.expression);
    default:
      // What leaves early may pass over what comes behind it.
      return someNode(statement, ({ kind }) => kind === 'return' || kind === 'throw' || kind === 'goto') ? null : false;
  }
}

function frees(place: Place, expression: Expression): boolean | null {
  if (expression.kind === 'delete') return isGiven(place, expression.operand);
  if (expression.kind === 'assign' && isGiven(place, expression.target)) return null;
  if (expression.kind !== 'call') return false;
  const { world, depth } = place;
  const { callee, arguments: given } = expression;
  if (callee.kind === 'member') {
    const type = isGiven(place, callee.object) ? typeOf(place, callee.object) : null;
    const method = type ? onlyOne(world, `${resolveType(world.program, type).name}::${callee.name}`) : null;
    return method?.body != null && depth < deepest && freesItself(world, method, depth + 1);
  }
  if (callee.kind !== 'name') return false;
  const at = given.findIndex((each) => isGiven(place, each));
  if (at < 0) return false;
  const own = onlyOne(world, callee.name);
  if (own) return freesParameter(world, own, at, depth + 1);
  return lastPart(callee.name) === 'free' && at === 0 && !world.program.functions.has('free');
}

/** `void Task::finish() { …; delete this; }` */
function freesItself(world: World, { body, className }: FunctionDefinition, depth: number): boolean {
  const type = className === null ? null : { name: className };
  if (!body || !type) return false;
  return freedIn({ world, names: new Map([['this', null]]), depth }, body.statements) === true;
}

/** What was given, by one of its names, seen as whatever it is. */
function isGiven({ names }: Place, expression: Expression): boolean {
  const inner = unwrapped(expression);
  return inner.kind === 'name' && names.has(inner.name);
}

function unwrapped(expression: Expression): Expression {
  return expression.kind === 'cast' ? unwrapped(expression.operand) : expression;
}

function typeOf({ names }: Place, expression: Expression): TypeReference | null {
  if (expression.kind === 'cast' && expression.type.name !== 'auto') return expression.type;
  return expression.kind === 'name' ? (names.get(expression.name) ?? null) : null;
}

/** `std::unique_ptr<Job>(p)`: what it is given. */
function ownedBy(world: World, expression: Expression): Expression | null {
  if (expression.kind === 'construct' && !expression.isNew && isOwner(world, expression.type))
    return expression.arguments[0] ?? null;
  const { callee } = expression.kind === 'call' ? expression : { callee: null };
  const isMade = callee?.kind === 'name' && /^std::(?:unique|shared)_ptr$/.test(callee.name);
  return isMade && expression.kind === 'call' ? (expression.arguments[0] ?? null) : null;
}

function isOwner(world: World, type: TypeReference): boolean {
  return type.pointers === 0 && /^std::(?:unique|shared)_ptr$/.test(resolveType(world.program, type).name);
}

/** Whether an owner gives what it has to somebody else: it is named alone, as in `std::move(owner)`, or asked to release it. */
function goesOn(name: string, behind: readonly Statement[]): boolean {
  let isOther = false;
  eachNode(behind, (node) => {
    if (node.kind === 'member' && node.object.kind === 'name' && node.object.name === name && node.name === 'release')
      isOther = true;
    if ((node.kind === 'call' || node.kind === 'construct') && node.arguments.some((each) => isNamed(each, name)))
      isOther = true;
    if (node.kind === 'lambda') isOther = true;
  });
  return isOther;
}

function isNamed(expression: Expression, name: string): boolean {
  return expression.kind === 'name' && expression.name === name;
}
