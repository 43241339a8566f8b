/** Statements of code of the device: what they do to memory that a kernel is given, and which names they put addresses in. */

import type { Declaration, Expression, Statement } from '../../program/program.ts';
import { isDefaultCase } from '../../program/switch-case.ts';
import { eachNode } from '../../program/walk.ts';
import { assignedIn } from '../choices/assigned.ts';

import { resolveType } from '../program-table.ts';
import { indexed, invoke, methodNamed } from './device-calls.ts';
import { evaluateOnDevice } from './device-expressions.ts';
import { endsThread } from './device-functions.ts';
import { guard } from './device-guards.ts';
import { blockIn, find, giveAway, type Local, learn, load, type Reading, typeIn } from './device-memory.ts';
import { truthOf } from './device-numbers.ts';
import { constructed } from './device-objects.ts';
import { arrayThing, behind, both, classOf, copied, createThing, memberOf, type Thing } from './device-things.ts';

export function runStatements(reading: Reading, local: Local, statements: readonly Statement[]): void {
  const { sifted } = reading;
  for (const statement of statements) {
    runStatement(reading, local, statement);
    if (statement.kind === 'return') break;
    if (statement.kind !== 'if' || statement.whenFalse || !leaves(statement.whenTrue)) continue;
    const condition = load(reading, evaluateOnDevice(reading, local, statement.condition));
    if (truthOf(reading, condition) === true) break;
    guard(reading, local, statement.condition, false);
    // A trap is no way on: what stands behind it is done by all threads of a run that anybody looks at.
    if (!endsInTrap(statement.whenTrue)) reading.sifted = both(reading.sifted, condition.data);
  }
  reading.sifted = sifted;
}

/** What stands behind is not done. */
function leaves(statement: Statement): boolean {
  const last = statement.kind === 'block' ? statement.body.at(-1) : statement;
  if (last === undefined) return false;
  if (endsInTrap(last)) return true;
  return /^(?:return|continue|break)$/.test(last.kind) || (last !== statement && leaves(last));
}

function endsInTrap(statement: Statement): boolean {
  const last = statement.kind === 'block' ? statement.body.at(-1) : statement;
  if (last === undefined) return false;
  return (last.kind === 'expression' && endsThread(last.expression)) || (last !== statement && endsInTrap(last));
}

function runStatement(reading: Reading, local: Local, statement: Statement): void {
  if (reading.steps-- <= 0) return;
  switch (statement.kind) {
    case 'expression':
      evaluateOnDevice(reading, local, statement.expression);
      return;
    case 'declare':
      for (const declaration of statement.declarations) declare(reading, local, declaration);
      return;
    case 'destructure': {
      const object = evaluateOnDevice(reading, local, statement.value);
      const from = statement.isReference ? object : load(reading, object);
      const { program } = reading.world;
      const fields = classOf(program, from)?.fields ?? [];
      statement.names.forEach(({ name, field }, index) => {
        const member = field ?? fields[index]?.name;
        local.names.set(name, member === undefined ? copied(from, null) : memberOf(reading, from, member));
      });
      return;
    }
    case 'block':
      runStatements(reading, blockIn(local), statement.body);
      return;
    case 'if': {
      const inner = blockIn(local);
      if (statement.initializer) runStatement(reading, inner, statement.initializer);
      const condition = load(reading, evaluateOnDevice(reading, inner, statement.condition));
      const truth = truthOf(reading, condition);
      if (truth === null) reading.choices++;
      const { sifted } = reading;
      reading.sifted = both(sifted, condition.data);
      for (const [branch, holds] of [
        [statement.whenTrue, true],
        [statement.whenFalse, false],
      ] as const) {
        if (!branch || truth === !holds) continue;
        const taken = blockIn(inner);
        guard(reading, taken, statement.condition, holds);
        runStatement(reading, taken, branch);
      }
      if (truth === null) reading.choices--;
      reading.sifted = sifted;
      return;
    }
    case 'loop': {
      const inner = blockIn(local);
      if (statement.initializer) runStatement(reading, inner, statement.initializer);
      vary(reading, inner, statement);
      repeatedly(reading, () => {
        if (statement.condition) load(reading, evaluateOnDevice(reading, inner, statement.condition));
        runStatement(reading, inner, statement.body);
        if (statement.update) evaluateOnDevice(reading, inner, statement.update);
      });
      return;
    }
    case 'forEach': {
      const range = evaluateOnDevice(reading, local, statement.range);
      const element = range.lies.size > 0 ? range : elementIn(reading, range);
      const inner = blockIn(local);
      if (statement.declaration)
        inner.names.set(
          statement.declaration.name,
          statement.declaration.type.isReference ? element : copied(load(reading, element)),
        );
      vary(reading, inner, statement);
      repeatedly(reading, () => runStatement(reading, inner, statement.body));
      return;
    }
    case 'switch':
      choose(reading, local, statement);
      return;
    case 'return':
      if (statement.value) {
        const result = evaluateOnDevice(reading, local, statement.value);
        local.results.push(local.returnsPlaces ? result : load(reading, result));
      }
      return;
    case 'unknown':
      for (const part of statement.parts) giveAway(reading, load(reading, evaluateOnDevice(reading, local, part)));
      return;
    default:
  }
}

/** A `switch` of which nobody knows where it goes may go anywhere; else it goes through from the case that is meant. */
function choose(reading: Reading, local: Local, { subject, cases }: Statement & { kind: 'switch' }): void {
  const number = (expression: Expression): number | null => {
    const { first, isSame, lies } = load(reading, evaluateOnDevice(reading, local, expression));
    return isSame && lies.size === 0 ? first : null;
  };
  const asked = number(subject);
  const labels = cases.map(({ value, last }) => (value && !last ? number(value) : null));
  const isKnown = asked !== null && cases.every((each, index) => isDefaultCase(each) || labels[index] !== null);
  if (!isKnown) {
    reading.choices++;
    for (const { body } of cases) runStatements(reading, blockIn(local), body);
    reading.choices--;
    return;
  }
  const meant = labels.indexOf(asked);
  const begin = meant >= 0 ? meant : cases.findIndex(isDefaultCase);
  if (begin < 0) return;
  for (const { body } of cases.slice(begin)) {
    runStatements(reading, blockIn(local), body);
    if (body.some(leaves)) break;
  }
}

/** What a loop goes through: elements of an array, or of an object with `begin`. */
function elementIn(reading: Reading, range: Thing): Thing {
  const begin = methodNamed(reading, range, 'begin', []);
  return begin ? indexed(reading, invoke(reading, begin, [], range), null) : behind(reading, range, null);
}

/** What a loop assigns is not the same in each of its rounds. */
function vary(reading: Reading, local: Local, loop: Statement): void {
  for (const name of assignedIn(loop).names) {
    const held = find(reading, local, name);
    if (held && held.lies.size === 0) held.isSame = false;
  }
  // Where it counts down, it does not begin at the lowest place.
  for (const name of loweredIn(loop)) {
    const held = find(reading, local, name);
    if (held && held.lies.size === 0) held.first = null;
  }
}

/** `n - 1`, and the `middle` of a search. */
function isLower(value: Expression): boolean {
  return value.kind === 'name' || (value.kind === 'binary' && value.operator === '-');
}

/** Variables that a loop counts down. */
function loweredIn(loop: Statement): ReadonlySet<string> {
  const names = new Set<string>();
  eachNode(loop, (node) => {
    const target = node.kind === 'assign' ? node.target : node.kind === 'update' ? node.operand : null;
    if (target?.kind !== 'name' || (node.kind !== 'assign' && node.kind !== 'update')) return;
    const isLowered =
      /^(?:--|-=|>>=|\/=)$/.test(node.operator) ||
      (node.kind === 'assign' && node.operator === '=' && isLower(node.value));
    if (isLowered) names.add(target.name);
  });
  return names;
}

/** Again, as long as that shows something new. */
function repeatedly(reading: Reading, work: () => void): void {
  reading.loops++;
  for (let round = 0; round < 4; round++) {
    const before = reading.learned;
    work();
    if (reading.learned === before) break;
  }
  reading.loops--;
}

function declare(reading: Reading, local: Local, declaration: Declaration): void {
  const { name, initializer, constructorArguments } = declaration;
  const type = typeIn(reading, local, declaration.type);
  const { program } = reading.world;
  const place = (expression: Expression): Thing => evaluateOnDevice(reading, local, expression);
  const meant = resolveType(program, type);
  if (type.isReference && initializer) {
    local.names.set(name, place(initializer));
    return;
  }
  if (meant.extents.length > 0) {
    const array = arrayThing(meant);
    local.names.set(name, array);
    if (initializer) fillArray(reading, local, array, initializer);
    return;
  }
  if (constructorArguments) {
    local.names.set(name, constructed(reading, type, constructorArguments.map(place)));
    return;
  }
  if (initializer?.kind === 'list' && meant.pointers === 0) {
    local.names.set(
      name,
      constructed(
        reading,
        type,
        initializer.elements.map((each) => place(each.value)),
      ),
    );
    return;
  }
  const begun = initializer ? place(initializer) : null;
  if (begun?.isAtomic && meant.name === 'auto') {
    local.names.set(name, begun);
    return;
  }
  const value = begun && load(reading, begun);
  const own = meant.name === 'auto' ? (value?.type ?? null) : type;
  if (value) local.names.set(name, copied(value, own));
  else
    local.names.set(
      name,
      classOf(program, createThing({ type })) ? constructed(reading, type, []) : createThing({ type }),
    );
}

function fillArray(reading: Reading, local: Local, array: Thing, initializer: Expression): void {
  if (initializer.kind === 'list')
    for (const { value } of initializer.elements) fillArray(reading, local, array.element ?? array, value);
  else learn(reading, array, load(reading, evaluateOnDevice(reading, local, initializer)));
}
