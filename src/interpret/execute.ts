/** Statements. A block owns what is declared in it and destroys it at its end, whichever way it is left. */

import type { Declaration, Expression, Statement, TypeReference } from '../program/program.ts';
import { acting, stronger } from './acting.ts';
import { isMove, nameValueAfter, store } from './assign.ts';
import { evaluateArguments, expandCall, macroScope } from './call.ts';
import { matters, skipQuietly } from './conditions.ts';
import { construct, constructValue, destroyValue } from './construct.ts';
import { calledName, decide, endsFunction, leaves } from './decisions.ts';
import { evaluate } from './evaluate.ts';
import { endHostObject } from './host-objects.ts';
import { identified } from './identity.ts';
import { place } from './locate.ts';
import { executeForEach, executeLoop } from './loops.ts';
import { findName, inMacro } from './names.ts';
import { sameValue } from './operators.ts';
import { beforeQuiet, leaveQuiet } from './quiet.ts';
import { bind, createScope, type Scope } from './scope.ts';
import { omittedSections } from './sections.ts';
import { containerOf, defaultValue, isScalar, substitute } from './types.ts';
import { type Cell, createCell, noteShared, truth, unknownValue, type Value } from './value.ts';
import { handleTypeOf, noteGap, spend, ThrowSignal, type World } from './world.ts';

/** How a statement ended, when not by reaching its end. */
export type Completion =
  | { readonly kind: 'return'; readonly value: Value; readonly cell: Cell | null }
  | { readonly kind: 'break' }
  | { readonly kind: 'continue' }
  | undefined;

/** Runs statements in `scope`, then destroys what it owns. */
export function executeBlock(world: World, scope: Scope, body: readonly Statement[]): Completion {
  try {
    for (const statement of body)
      if (statement.kind === 'function') {
        scope.functions ??= new Map();
        scope.functions.set(statement.definition.name, statement.definition);
      }
    const omitted = omittedSections(world, body);
    for (const statement of body) {
      if (omitted?.has(statement)) continue;
      const completion = execute(world, scope, statement);
      if (completion) return completion;
    }
    return undefined;
  } finally {
    endScope(world, scope);
  }
}

/** Destroys what the scope owns, last first. */
export function endScope(world: World, scope: Scope): void {
  while (scope.owned.length > 0) {
    const cell = scope.owned.pop();
    if (!cell) continue;
    endHostObject(world, cell);
    destroyValue(world, cell.value);
  }
}

export function execute(world: World, scope: Scope, statement: Statement): Completion {
  spend(world);
  if (world.macroDepth === 0) world.statement = statement.span;
  switch (statement.kind) {
    case 'expression':
      return executeExpression(world, scope, statement);
    case 'declare':
      for (const declaration of statement.declarations) declare(world, scope, declaration);
      return undefined;
    case 'destructure':
      destructure(world, scope, statement);
      return undefined;
    case 'block':
      return executeBlock(world, createScope(scope), statement.body);
    case 'if':
      return executeIf(world, scope, statement);
    case 'loop':
      return executeLoop(world, scope, statement);
    case 'forEach':
      return executeForEach(world, scope, statement);
    case 'switch':
      return executeSwitch(world, scope, statement);
    case 'return':
      return executeReturn(world, scope, statement);
    case 'break':
      return { kind: 'break' };
    case 'continue':
      return { kind: 'continue' };
    case 'try':
      return executeTry(world, scope, statement);
    case 'function':
      return undefined;
    case 'alias':
      scope.templateTypes ??= new Map();
      scope.templateTypes.set(statement.name, substitute(statement.type, scope));
      return undefined;
    case 'class':
      scope.classes ??= new Map();
      scope.classes.set(statement.definition.name, statement.definition);
      return undefined;
    case 'unknown':
      for (const part of statement.parts) evaluate(world, scope, part);
      noteGap(world, 'syntax', statement.what, statement.span);
      return undefined;
  }
}

function executeExpression(world: World, scope: Scope, statement: Statement & { kind: 'expression' }): Completion {
  const expression = statement.expression;
  if (
    expression.kind === 'call' &&
    expression.callee.kind === 'name' &&
    !findName(world, scope, expression.callee.name)
  ) {
    const name = expression.callee.name;
    const body = world.program.macro(name)?.parameters ? world.program.expand(name) : null;
    if (body?.kind === 'statements' && world.macroDepth <= 24)
      return inMacro(world, () => executeBlock(world, macroScope(world, scope, expression, name), body.body));
    if (body) {
      expandCall(world, scope, expression, name);
      return undefined;
    }
  }
  if (expression.kind === 'name' && !findName(world, scope, expression.name)) {
    const body =
      world.program.macro(expression.name)?.parameters === null ? world.program.expand(expression.name) : null;
    if (body?.kind === 'statements') return inMacro(world, () => executeBlock(world, createScope(scope), body.body));
  }
  const isLast = endsFunction(expression);
  const alone = expression.kind === 'cast' ? expression.operand : expression;
  world.unheeded = alone.kind === 'call' ? alone.span : null;
  evaluate(world, scope, expression);
  // `try { call(); FAIL(); } catch …`: the call is expected to throw, and in an ordinary run it has.
  if (isLast && world.tryDepth > 0 && !/SKIP/.test(calledName(expression))) throw new ThrowSignal();
  return isLast ? { kind: 'return', value: unknownValue, cell: null } : undefined;
}

/** Declares a variable: static locals once, objects with their constructor, everything else with its initialiser. */
export function declare(world: World, scope: Scope, declaration: Declaration): void {
  const key = `${declaration.span.file}:${declaration.span.start}`;
  if (declaration.isStatic && world.frames.length > 0) {
    const known = world.statics.get(key);
    if (known) {
      bind(scope, declaration.name, known);
      return;
    }
  }
  const isLasting = declaration.isStatic || scope === world.globals;
  const cell = isLasting ? lastingCell(world, scope, declaration) : declaredCell(world, scope, declaration);
  bind(scope, declaration.name, cell);
  if (cell.value.kind === 'record') cell.value.record.name ??= declaration.name;
  if (declaration.isStatic && world.frames.length > 0) world.statics.set(key, cell);
  else if (cell.value.kind === 'record' || cell.value.kind === 'sequence')
    if (!declaration.type.isReference) scope.owned.push(cell);
}

/** Of a static or global variable. */
function lastingCell(world: World, scope: Scope, declaration: Declaration): Cell {
  world.lastingDepth++;
  try {
    return declaredCell(world, scope, declaration);
  } finally {
    world.lastingDepth--;
  }
}

function declaredCell(world: World, scope: Scope, declaration: Declaration): Cell {
  const type = declaration.type;
  const initializer = declaration.initializer;
  if (initializer && type.isReference) {
    const target = place(world, scope, initializer);
    return target.cell ?? createCell(declaration.name, target.value, type);
  }
  if (initializer && type.name === 'auto') {
    const source = place(world, scope, initializer);
    // `auto *c = unknown.context();`: what is behind it is the same for both.
    if (source.value.kind === 'unknown' && source.cell && (type.pointers > 0 || type.isConst)) return source.cell;
    const sourceType = source.cell?.type;
    const cell = createCell(
      declaration.name,
      unknownValue,
      sourceType && sourceType.extents.length === 0 ? { ...sourceType, isReference: false } : castTypeOf(initializer),
    );
    store(world, scope, cell, source.value);
    if (isNamed(initializer)) noteShared(cell.value);
    moveFrom(initializer, source.value, cell.value);
    return cell;
  }
  if (declaration.constructorArguments) {
    const values = evaluateArguments(world, scope, declaration.constructorArguments);
    const cell = createCell(declaration.name, unknownValue, type);
    if (isScalar(world.program, type) && values.length === 1) store(world, scope, cell, values[0]!.value);
    else {
      cell.value = constructValue(world, scope, type, values, declaration.span);
      renameSequence(cell, declaration.name);
    }
    moveFrom(declaration.constructorArguments[0], values[0]?.value, cell.value);
    return cell;
  }
  const cell = createCell(declaration.name, unknownValue, type);
  const isObject = !isScalar(world.program, type) || type.extents.length > 0;
  if (!initializer) {
    cell.value =
      isObject && type.extents.length === 0 && containerOf(type) === null
        ? constructValue(world, scope, type, [], declaration.span)
        : defaultValue(world, scope, type, declaration.name);
    renameSequence(cell, declaration.name);
    return cell;
  }
  const value =
    isObject && initializer.kind === 'list' && type.extents.length === 0 && !holdsElements(type)
      ? construct(world, scope, {
          kind: 'construct',
          type,
          arguments: [initializer],
          isNew: false,
          span: initializer.span,
        })
      : identified(world, place(world, scope, initializer), type);
  if (isObject && value.kind !== 'record') cell.value = defaultValue(world, scope, type, declaration.name);
  else if (isObject && value.kind === 'record' && value.record.className === '')
    cell.value = defaultValue(world, scope, type, declaration.name);
  if (
    value.kind === 'record' &&
    value.record.className !== '' &&
    initializer.kind !== 'name' &&
    initializer.kind !== 'member'
  )
    cell.value = value;
  else store(world, scope, cell, value);
  if (
    value.kind === 'unknown' &&
    !handleTypeOf(type) &&
    type.pointers === 0 &&
    isScalar(world.program, type) &&
    /int|long|size_t|unsigned|short/.test(type.name)
  )
    cell.value = symbolFor(world, declaration);
  if (isNamed(initializer)) noteShared(cell.value);
  moveFrom(initializer, value, cell.value);
  return cell;
}

/** A container that a braced list fills, as opposed to one that it makes. */
function holdsElements(type: TypeReference): boolean {
  const container = containerOf(type);
  return container === 'vector' || container === 'array' || container === 'map' || container === 'optional';
}

/** Something that goes on to exist beside its copy. */
function isNamed({ kind }: Expression): boolean {
  return kind === 'name' || kind === 'member' || kind === 'index';
}

/** A whole number read from outside becomes a symbol called after its variable. */
function symbolFor(world: World, declaration: Declaration): Value {
  if (!world.symbols.has(declaration.name)) world.symbols.set(declaration.name, declaration.span);
  return { kind: 'symbol', size: { kind: 'symbol', name: declaration.name }, hint: null };
}

/** After `T b = std::move(a)` the old object no longer owns anything, unless a move constructor saw to it. */
function moveFrom(initializer: Expression | undefined, source: Value | undefined, target: Value): void {
  if (
    !initializer ||
    !source ||
    source.kind !== 'record' ||
    target.kind !== 'record' ||
    source.record === target.record
  )
    return;
  if (isMove(initializer)) source.record.released = true;
}

function castTypeOf(initializer: Expression): Cell['type'] {
  return initializer.kind === 'cast' ? initializer.type : null;
}

function renameSequence(cell: Cell, name: string): void {
  if (cell.value.kind === 'sequence' && cell.value.sequence.name === '')
    cell.value = { kind: 'sequence', sequence: { ...cell.value.sequence, name } };
}

function destructure(world: World, scope: Scope, statement: Statement & { kind: 'destructure' }): void {
  const value = evaluate(world, scope, statement.value);
  statement.names.forEach((target, index) => {
    let cell: Cell | undefined;
    if (value.kind === 'record')
      cell = target.field !== null ? value.record.fields.get(target.field) : [...value.record.fields.values()][index];
    else if (value.kind === 'sequence') cell = value.sequence.cells.get(index);
    if (cell) nameValueAfter(world, cell.value, target.name);
    bind(
      scope,
      target.name,
      cell && statement.isReference ? cell : createCell(target.name, cell?.value ?? unknownValue, cell?.type ?? null),
    );
  });
}

function executeIf(world: World, scope: Scope, statement: Statement & { kind: 'if' }): Completion {
  const inner = createScope(scope);
  if (statement.initializer) execute(world, inner, statement.initializer);
  const condition = evaluate(world, inner, statement.condition);
  if (world.quietUntil !== null && truth(condition) === null && skipQuietly(world, inner, statement)) {
    endScope(world, inner);
    return undefined;
  }
  if (truth(condition) === null && !matters(world, statement)) {
    endScope(world, inner);
    return undefined;
  }
  const trueLeaves = leaves(world, statement.whenTrue);
  const taken = decide(
    world,
    condition,
    statement.condition.span,
    !trueLeaves,
    trueLeaves || leaves(world, statement.whenFalse),
    stronger(acting(world, statement.whenTrue), statement.whenFalse ? acting(world, statement.whenFalse) : 'never'),
    statement,
  );
  const arm = taken ? statement.whenTrue : statement.whenFalse;
  const completion = arm ? execute(world, inner, arm) : undefined;
  endScope(world, inner);
  return completion;
}

/**
 * Where no case is known to fit, `default` runs. When it leaves, as with an option nobody gave, and it is not known whether it
 * applies, an ordinary run has one of the cases that do not leave.
 */
function defaultCase(world: World, statement: Statement & { kind: 'switch' }, subject: Value): number {
  const fallback = statement.cases.findIndex((each) => each.value === null);
  const arm = statement.cases[fallback];
  if (!arm || subject.kind === 'number' || !arm.body.some((each) => each.kind !== 'break' && leaves(world, each)))
    return fallback;
  const usual = statement.cases.findIndex(
    (each) => each.value !== null && !each.body.some((inner) => inner.kind !== 'break' && leaves(world, inner)),
  );
  if (usual < 0) return fallback;
  const arms = { whenTrue: arm, whenFalse: null };
  return decide(world, unknownValue, statement.span, false, true, 'surely', arms) ? fallback : usual;
}

function executeSwitch(world: World, scope: Scope, statement: Statement & { kind: 'switch' }): Completion {
  const subject = evaluate(world, scope, statement.subject);
  let start = -1;
  statement.cases.forEach((each, index) => {
    if (start >= 0 || each.value === null) return;
    const value = evaluate(world, scope, each.value);
    const same = sameValue(subject, value);
    if (
      same ??
      decide(world, unknownValue, each.value.span, false, false, 'surely', { whenTrue: each, whenFalse: null })
    )
      start = index;
  });
  if (start < 0) start = defaultCase(world, statement, subject);
  if (start < 0) return undefined;
  const inner = createScope(scope);
  const body = statement.cases.slice(start).flatMap((each) => each.body);
  const completion = executeBlock(world, inner, body);
  return completion?.kind === 'break' ? undefined : completion;
}

function executeReturn(world: World, scope: Scope, statement: Statement & { kind: 'return' }): Completion {
  if (!statement.value) return { kind: 'return', value: unknownValue, cell: null };
  const { value, cell } = place(world, scope, statement.value);
  if (cell && statement.value.kind === 'name') disown(scope, cell);
  return { kind: 'return', value, cell };
}

/** A local that is returned is not destroyed here: the caller has it now. */
function disown(scope: Scope, cell: Cell): void {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const index = current.owned.indexOf(cell);
    if (index >= 0) current.owned.splice(index, 1);
  }
}

function executeTry(world: World, scope: Scope, statement: Statement & { kind: 'try' }): Completion {
  let completion: Completion;
  const outside = beforeQuiet(world);
  world.tryDepth++;
  try {
    completion = execute(world, createScope(scope), statement.body);
    world.tryDepth--;
  } catch (signal) {
    world.tryDepth--;
    if (!(signal instanceof ThrowSignal)) throw signal;
    leaveQuiet(world, outside);
    const handler = statement.handlers[0];
    completion = handler ? execute(world, createScope(scope), handler) : undefined;
  }
  if (statement.finalizer) execute(world, createScope(scope), statement.finalizer);
  return completion;
}
