/**
 * What the rounds of a loop leave to the rounds after them: which variables go on changing, and whether a choice inside hangs
 * on one of these. A variable that is given the same in every round does not change after the first.
 *
 * Names are told apart by where they are declared: one declared inside the loop begins anew in each round.
 */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { CallExpression, Declaration, Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { childNodes, isNode } from '../../program/walk.ts';
import { lastPart, methodsOf } from '../program-table.ts';
import type { World } from '../world.ts';
import { harmlessMethods } from './acting.ts';

export interface Carried {
  /** No choice inside hangs on what changes: once a round has asked what the round before it did, all others do. */
  readonly isSteady: boolean;
  /** Variables and members from outside the loop that have another value after each round. */
  readonly changing: ReadonlySet<string>;
}

type Loop = Statement & { readonly kind: 'loop' };

const answers = rememberedByProgram<Statement, Carried>();

const untold: Carried = { isSteady: false, changing: new Set() };

/** What a loop carries from round to round, the functions of the program that it calls included. */
export function carriedBy(world: World, loop: Loop): Carried {
  return answers(world.program).get(loop, untold, () => {
    const flows = createFlows(world);
    const inside: Names = { own: new Map(), outside: null, result: '(result)' };
    readStatement(flows, inside, loop.body);
    if (loop.condition) readExpression(flows, inside, loop.condition);
    if (loop.update) readExpression(flows, inside, loop.update);
    storeThrough(flows);
    const changing = changingIn(flows);
    return {
      isSteady: !flows.isUntold && ![...flows.asked].some((name) => changing.has(name)),
      changing: new Set([...changing].filter(isFromOutside)),
    };
  });
}

/** What stands where a name is used: from outside the loop it is itself, from inside it has the place of its declaration. */
type Variable = string;

/** Names in scope, innermost first. */
interface Names {
  readonly own: Map<string, Variable>;
  readonly outside: Names | null;
  /** What the function around returns. */
  readonly result: Variable;
}

interface Flows {
  readonly world: World;
  /** What a variable is made from. */
  readonly sources: Map<Variable, Set<Variable>>;
  /** What a pointer or reference of the loop's own may lead to. */
  readonly leadsTo: Map<Variable, Set<Variable>>;
  readonly references: Set<Variable>;
  /** What was stored through such a pointer. */
  readonly throughPointers: {
    readonly pointer: Variable;
    readonly value: ReadonlySet<Variable>;
    readonly adds: boolean;
  }[];
  /** What is counted or filled: it changes whatever it is made from. */
  readonly counted: Set<Variable>;
  /** What choices hang on. */
  readonly asked: Set<Variable>;
  readonly entered: Set<FunctionDefinition>;
  /** Something is called of which the text does not say what it is. */
  isUntold: boolean;
}

function createFlows(world: World): Flows {
  return {
    world,
    sources: new Map(),
    leadsTo: new Map(),
    references: new Set(),
    throughPointers: [],
    counted: new Set(),
    asked: new Set(),
    entered: new Set(),
    isUntold: false,
  };
}

const nothing: ReadonlySet<Variable> = new Set();

function isFromOutside(variable: Variable): boolean {
  return !variable.includes('@');
}

function within(names: Names): Names {
  return { own: new Map(), outside: names, result: names.result };
}

function meant(names: Names, name: string): Variable {
  for (let current: Names | null = names; current; current = current.outside) {
    const known = current.own.get(name);
    if (known !== undefined) return known;
  }
  return name;
}

function addAll(to: Map<Variable, Set<Variable>>, variable: Variable, values: Iterable<Variable>): void {
  const known = to.get(variable) ?? new Set();
  to.set(variable, known);
  for (const value of values) known.add(value);
}

function askAll(flows: Flows, variables: Iterable<Variable>): void {
  for (const variable of variables) flows.asked.add(variable);
}

function readStatement(flows: Flows, names: Names, statement: Statement): void {
  switch (statement.kind) {
    case 'declare':
      for (const declaration of statement.declarations) declare(flows, names, declaration);
      return;
    case 'destructure': {
      const value = readExpression(flows, names, statement.value);
      for (const { name } of statement.names) enter(flows, names, name, `${name}@${statement.span.start}`, value);
      return;
    }
    case 'if': {
      const inside = within(names);
      if (statement.initializer) readStatement(flows, inside, statement.initializer);
      askAll(flows, readExpression(flows, inside, statement.condition));
      readStatement(flows, within(inside), statement.whenTrue);
      if (statement.whenFalse) readStatement(flows, within(inside), statement.whenFalse);
      return;
    }
    case 'loop': {
      const inside = within(names);
      if (statement.initializer) readStatement(flows, inside, statement.initializer);
      if (statement.condition) askAll(flows, readExpression(flows, inside, statement.condition));
      readStatement(flows, within(inside), statement.body);
      if (statement.update) readExpression(flows, inside, statement.update);
      return;
    }
    case 'forEach': {
      const range = readExpression(flows, names, statement.range);
      askAll(flows, range);
      const inside = within(names);
      const { start } = statement.span;
      if (statement.declaration) declare(flows, inside, statement.declaration, range);
      for (const name of statement.names) enter(flows, inside, name, `${name}@${start}`, range);
      readStatement(flows, within(inside), statement.body);
      return;
    }
    case 'switch':
      askAll(flows, readExpression(flows, names, statement.subject));
      for (const each of statement.cases) readChildren(flows, within(names), each.body);
      return;
    case 'return':
      if (statement.value) addAll(flows.sources, names.result, readExpression(flows, names, statement.value));
      return;
    case 'block':
      readChildren(flows, within(names), statement.body);
      return;
    case 'function':
    case 'class':
      return;
    default:
      readChildren(flows, names, statement);
  }
}

function declare(flows: Flows, names: Names, declaration: Declaration, begun: ReadonlySet<Variable> = nothing): void {
  const { name, type, initializer, constructorArguments, span } = declaration;
  const value = new Set(begun);
  for (const part of [initializer, ...(constructorArguments ?? [])])
    if (part) for (const each of readExpression(flows, names, part)) value.add(each);
  // A static one keeps what it has.
  const variable = declaration.isStatic ? name : `${name}@${span.start}`;
  enter(flows, names, name, variable, value);
  if (type.isReference && !type.isConst) flows.references.add(variable);
  if (type.isReference || type.pointers > 0 || type.name === 'auto') addAll(flows.leadsTo, variable, value);
}

function enter(flows: Flows, names: Names, name: string, variable: Variable, value: ReadonlySet<Variable>): void {
  names.own.set(name, variable);
  addAll(flows.sources, variable, value);
}

function readChildren(flows: Flows, names: Names, node: object): Set<Variable> {
  const found = new Set<Variable>();
  for (const child of childNodes(node)) {
    if (!isNode(child)) for (const each of readChildren(flows, names, child)) found.add(each);
    else if (isStatement(child)) readStatement(flows, names, child);
    else for (const each of readExpression(flows, names, child)) found.add(each);
  }
  return found;
}

const statements = new Set(
  'expression declare destructure if loop forEach switch return using alias break label goto continue try function class'.split(
    ' ',
  ),
);

/** A block and what is not read may be either; as either they are what they hold. */
function isStatement(node: Expression | Statement): node is Statement {
  return statements.has(node.kind);
}

/** What an expression names, after noting what it stores and asks. */
function readExpression(flows: Flows, names: Names, expression: Expression): ReadonlySet<Variable> {
  switch (expression.kind) {
    case 'number':
    case 'string':
      return nothing;
    case 'name':
      return new Set([meant(names, expression.name)]);
    case 'member':
      return new Set([expression.name, ...readExpression(flows, names, expression.object)]);
    case 'assign': {
      const value = readExpression(flows, names, expression.value);
      const target = readExpression(flows, names, expression.target);
      store(flows, names, expression.target, value, target, expression.operator !== '=');
      return new Set([...value, ...target]);
    }
    case 'update': {
      const target = readExpression(flows, names, expression.operand);
      store(flows, names, expression.operand, nothing, target, true);
      return target;
    }
    case 'conditional': {
      const condition = readExpression(flows, names, expression.condition);
      askAll(flows, condition);
      const arms = [expression.whenTrue, expression.whenFalse].flatMap((arm) => [...readExpression(flows, names, arm)]);
      return new Set([...condition, ...arms]);
    }
    case 'binary': {
      const left = readExpression(flows, names, expression.left);
      if (expression.operator === '&&' || expression.operator === '||') askAll(flows, left);
      return new Set([...left, ...readExpression(flows, names, expression.right)]);
    }
    case 'lambda':
      flows.isUntold = true;
      return nothing;
    case 'call':
      return readCall(flows, names, expression);
    case 'block':
      return readChildren(flows, within(names), expression.body);
    default:
      return readChildren(flows, names, expression);
  }
}

/** `adds`: what was there before is part of what is there now. `named`: all that the target names, indices included. */
function store(
  flows: Flows,
  names: Names,
  target: Expression,
  value: ReadonlySet<Variable>,
  named: ReadonlySet<Variable>,
  adds: boolean,
): void {
  const { root, members } = partsOf(target);
  const variable = root === null || root === 'this' ? null : meant(names, root);
  const isWhole = target.kind === 'name';
  const isThrough = variable !== null && (!isWhole || flows.references.has(variable));
  const changed = variable === null ? members : [variable, ...members];
  // Which element it is hangs on the indices.
  const from = isWhole ? value : new Set([...value, ...[...named].filter((each) => !changed.includes(each))]);
  for (const each of changed) {
    addAll(flows.sources, each, from);
    if (adds && isFromOutside(each)) flows.counted.add(each);
  }
  if (isThrough && !isFromOutside(variable)) flows.throughPointers.push({ pointer: variable, value: from, adds });
  if (isWhole && variable !== null && flows.leadsTo.has(variable)) addAll(flows.leadsTo, variable, value);
}

/** The variable of which a part is meant, and the members on the way there. */
function partsOf(target: Expression): { readonly root: string | null; readonly members: readonly string[] } {
  const members: string[] = [];
  for (let current = target; ; ) {
    if (current.kind === 'name') return { root: current.name, members };
    if (current.kind === 'member') members.push(current.name);
    if (current.kind === 'member' || current.kind === 'index') current = current.object;
    else if (current.kind === 'unary' || current.kind === 'cast') current = current.operand;
    else return { root: null, members };
  }
}

function readCall(flows: Flows, names: Names, { callee, arguments: given }: CallExpression): ReadonlySet<Variable> {
  const values = given.map((each) => readExpression(flows, names, each));
  const found = new Set(values.flatMap((each) => [...each]));
  if (callee.kind !== 'name' && callee.kind !== 'member') {
    flows.isUntold = true;
    return found;
  }
  const { program, models } = flows.world;
  const name = lastPart(callee.name);
  const isMember = callee.kind === 'member';
  if (isMember) for (const each of readExpression(flows, names, callee.object)) found.add(each);
  const definitions = (isMember ? methodsOf(program).get(name) : program.functions.get(name)) ?? [];
  if (isMember && definitions.length === 0 && !harmlessMethods.has(name)) {
    // A container is filled, an object that nobody sees does what it does.
    const { root, members } = partsOf(callee.object);
    for (const each of [...(root === null ? [] : [meant(names, root)]), ...members])
      if (isFromOutside(each)) flows.counted.add(each);
      else addAll(flows.sources, each, found);
  }
  // `std::swap(a, b)`
  if (!isMember && callee.name.startsWith('std::') && !models.pure.has(name) && !models.pure.has(callee.name))
    for (const each of given)
      if (each.kind === 'name' && isFromOutside(meant(names, each.name))) flows.counted.add(meant(names, each.name));
  for (const definition of definitions) {
    if (!definition.body || definition.isKernel) continue;
    const result = `${name}()@${definition.span.start}`;
    found.add(result);
    definition.parameters.forEach((parameter, index) => {
      const variable = `${parameter.name}@${parameter.span.start}`;
      const value = values[index] ?? nothing;
      addAll(flows.sources, variable, value);
      if (parameter.type.isReference && !parameter.type.isConst) flows.references.add(variable);
      if (parameter.type.isReference || parameter.type.pointers > 0) addAll(flows.leadsTo, variable, value);
    });
    readFunction(flows, definition, result);
  }
  return found;
}

/** The body of a function of the program, once: its parameters are what any of the calls gives. */
function readFunction(flows: Flows, definition: FunctionDefinition, result: Variable): void {
  if (flows.entered.has(definition)) return;
  flows.entered.add(definition);
  const own = new Map(definition.parameters.map(({ name, span }) => [name, `${name}@${span.start}`]));
  readChildren(flows, { own, outside: null, result }, definition.body?.statements ?? []);
}

/** What was stored through pointers and references of the loop's own is stored in all that they may lead to. */
function storeThrough(flows: Flows): void {
  for (const { pointer, value, adds } of flows.throughPointers)
    for (const each of reached(flows.leadsTo, pointer)) {
      addAll(flows.sources, each, value);
      if (adds && isFromOutside(each)) flows.counted.add(each);
    }
}

/** All that lies behind a variable, itself only where a way leads back to it. */
function reached(map: ReadonlyMap<Variable, ReadonlySet<Variable>>, from: Variable): ReadonlySet<Variable> {
  const found = new Set(map.get(from));
  // A set can be walked while it grows.
  for (const each of found) for (const next of map.get(each) ?? []) found.add(next);
  return found;
}

/** What is counted, what is made from its own value in the round before, and all that is made from these. */
function changingIn(flows: Flows): ReadonlySet<Variable> {
  const changing = new Set(flows.counted);
  for (const variable of flows.sources.keys())
    if (isFromOutside(variable) && reached(flows.sources, variable).has(variable)) changing.add(variable);
  for (let before = -1; before !== changing.size; ) {
    before = changing.size;
    for (const [variable, sources] of flows.sources)
      if (!changing.has(variable) && [...sources].some((each) => changing.has(each))) changing.add(variable);
  }
  return changing;
}
