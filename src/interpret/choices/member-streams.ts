/**
 * What a class says of the streams that its objects hold, for a run that begins in one of its methods: whichever object that is,
 * one of the class's own methods has made its stream.
 */

import type { ModelTable } from '../../models/model.ts';
import { rememberedByProgram } from '../../program/consulted.ts';
import type { ClassDefinition, Expression, FunctionDefinition } from '../../program/program.ts';
import { eachNode } from '../../program/walk.ts';
import { handleTypeOf } from '../handle-types.ts';
import { findClass, type ProgramTable, resolveType } from '../program-table.ts';
import type { Cell } from '../value.ts';
import type { World } from '../world.ts';

/** Whether the default stream waits for it; null where that cannot be told. */
type Made = boolean | null;

const noMembers: ReadonlyMap<string, Made> = new Map();
const membersOf = rememberedByProgram<ClassDefinition, ReadonlyMap<string, Made>>();

/** Whether the stream in a member, or in an element of one that is an array, is one that the default stream waits for; undefined where its class does not say, or says two things. */
export function isMadeBlocking({ program, models }: World, cell: Cell): boolean | undefined {
  const array = cell.madeIn?.memberOf;
  const owner = cell.owner ?? array?.record;
  const name = cell.owner ? cell.name : (array?.member ?? cell.name);
  const seen = new Set<string>();
  const classes = owner ? [owner.className] : [];
  const told: Made[] = [];
  // A list can be walked while it grows.
  for (const className of classes) {
    const definition = seen.has(className) ? undefined : findClass(program, className);
    seen.add(className);
    if (!definition) continue;
    classes.push(...definition.bases);
    const find = (): ReadonlyMap<string, Made> => madeIn(program, models, definition);
    const made = membersOf(program).get(definition, noMembers, find).get(name);
    if (made !== undefined) told.push(made);
  }
  const [first] = told;
  return typeof first === 'boolean' && told.every((each) => each === first) ? first : undefined;
}

/** What the methods of a class say of the streams that they store in members, by the member's name. */
function madeIn(program: ProgramTable, models: ModelTable, definition: ClassDefinition): ReadonlyMap<string, Made> {
  const found = new Map<string, Made>();
  const note = (name: string, made: Made): void => {
    const known = found.get(name);
    found.set(name, known === undefined || known === made ? made : null);
  };
  for (const { name, type, initializer, isStatic } of definition.fields)
    if (!isStatic && initializer && isStream(program, type) && !isNothing(initializer)) note(name, null);
  const names = new Set(definition.methods.map(({ name }) => name));
  for (const method of [...names].flatMap((name) => program.functions.get(name) ?? [])) {
    if (!method.body || method.isStatic) continue;
    noteMethod(models, method, note);
  }
  return found;
}

function noteMethod(models: ModelTable, method: FunctionDefinition, note: (name: string, made: Made) => void): void {
  for (const { name, arguments: values } of method.memberInitializers)
    if (!values.every((value) => isNothing(value) || isOfAnother(value, name))) note(name, null);
  const own = new Set(method.parameters.map(({ name }) => name));
  const noteMember = (place: Expression, made: Made): void => {
    const name = memberNamed(place, own);
    if (name !== null) note(name, made);
  };
  const makes = new Map<Expression, Made>();
  eachNode(method.body!.statements, (node) => {
    if (node.kind === 'declare') for (const { name } of node.declarations) own.add(name);
    else if (node.kind === 'call') noteMaking(models, node, makes);
    else if (node.kind === 'unary' && node.operator === '&') noteMember(node.operand, makes.get(node) ?? null);
    else if (node.kind === 'assign' && !isNothing(node.value)) {
      const name = memberNamed(node.target, own);
      if (name !== null && !isOfAnother(node.value, name)) note(name, null);
    }
  });
}

/** What a call gives the stream whose address it is given. */
function noteMaking(
  models: ModelTable,
  { callee, arguments: given }: Expression & { kind: 'call' },
  makes: Map<Expression, Made>,
): void {
  if (callee.kind !== 'name') return;
  for (const { effects } of models.rows.get(callee.name) ?? [])
    for (const { verb, stream, flags } of effects ?? []) {
      if (verb !== 'stream.create') continue;
      const flag = given.find((_, index) => flags === `arg${index}`);
      const value = flags === undefined ? 0 : flag ? flagOf(models, flag) : null;
      given.forEach((each, index) => {
        if (stream === `*arg${index}`) makes.set(withoutCasts(each), value === null ? null : (value & 1) === 0);
      });
    }
}

function flagOf(models: ModelTable, expression: Expression): number | null {
  const plain = withoutCasts(expression);
  if (plain.kind === 'number') return plain.value;
  return plain.kind === 'name' ? (models.constants.get(plain.name) ?? null) : null;
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}

/** `stream`, where no variable is called so, `this->stream`, and `streams[i]`. */
function memberNamed(place: Expression, variables: ReadonlySet<string>): string | null {
  if (place.kind === 'index') return memberNamed(place.object, variables);
  if (place.kind === 'name') return variables.has(place.name) ? null : place.name;
  const isOwn = place.kind === 'member' && place.object.kind === 'name' && place.object.name === 'this';
  return isOwn ? place.name : null;
}

/** `other.stream`, `std::exchange(other.stream, nullptr)`: whatever another object of the class has. */
function isOfAnother(value: Expression, name: string): boolean {
  if (value.kind === 'call') return value.arguments[0] !== undefined && isOfAnother(value.arguments[0], name);
  return value.kind === 'member' && value.name === name;
}

function isNothing(value: Expression): boolean {
  const plain = withoutCasts(value);
  if (plain.kind === 'number') return plain.value === 0;
  if (plain.kind === 'list') return plain.elements.length === 0;
  return plain.kind === 'name' && /^(?:nullptr|NULL)$/.test(plain.name);
}

function isStream(program: ProgramTable, type: ClassDefinition['fields'][number]['type']): boolean {
  return handleTypeOf(resolveType(program, type)) === 'stream';
}
