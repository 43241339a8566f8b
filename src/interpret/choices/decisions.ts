/** Choices that the text leaves open: which way this run takes them, and that it did. */

import type { Span } from '../../base/span.ts';
import { checksWithMessages } from '../../base/test-macros.ts';
import type { Expression, FunctionDefinition, Statement } from '../../program/program.ts';
import { someNode } from '../../program/walk.ts';
import type { Acting } from '../../trace/decision.ts';
import { printSize, type Size } from '../../trace/size.ts';
import { classOfFrame } from '../expressions/names.ts';
import { functionsNamed } from '../function-names.ts';
import { lastPart } from '../program-table.ts';
import { truth, type Value } from '../value.ts';
import { visit, type World } from '../world.ts';
import { stronger } from './acting.ts';
import { noteAsked } from './asked-at.ts';
import { isFailedCheck, truthOf } from './failed-checks.ts';
import {
  answerBeyondOrdinary,
  asOfAll,
  deciderOf,
  impliedAnswer,
  isOfOneOfMany,
  noteAnswer,
  usualAnswer,
} from './implied.ts';

/** Visits of one place that are told apart; further ones go as the last of these. */
const mostVisits = 3;

/** The condition that `!condition` was made of, so that a flag and its negation are one choice; so are `!a && !b` and `a || b`. */
function negationOf(condition: Value): Value | null {
  if (condition.kind !== 'symbol' || !beginsNegated(condition.size)) return null;
  const { hint } = condition;
  return { kind: 'symbol', size: negated(condition.size), hint: hint === null ? null : hint === 0 ? 1 : 0 };
}

const opposites: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** `!a`, `!a && b`: the first of what is asked is asked for not being so. */
function beginsNegated(size: Size): boolean {
  if (size.kind !== 'operation') return false;
  return isNegation(size) || (size.operator in opposites && beginsNegated(size.left));
}

function isNegation({ operator, right }: Size & { kind: 'operation' }): boolean {
  return operator === '==' && right.kind === 'number' && right.value === 0;
}

/** What holds when that does not: of several conditions each the other way round. */
function negated(size: Size): Size {
  if (size.kind === 'operation' && isNegation(size)) return size.left;
  const operator = size.kind === 'operation' ? opposites[size.operator] : undefined;
  if (size.kind === 'operation' && operator)
    return { kind: 'operation', operator, left: negated(size.left), right: negated(size.right) };
  return { kind: 'operation', operator: '==', left: size, right: { kind: 'number', value: 0 } };
}

/** Whether a condition holds, as far as the text or an earlier choice of this run says; null when it is still open. */
export function knownSoFar(world: World, condition: Value): boolean | null {
  const known = truth(condition);
  if (known !== null || condition.kind !== 'symbol') return known;
  const positive = negationOf(condition);
  if (positive) {
    const opposite = knownSoFar(world, positive);
    return opposite === null ? null : !opposite;
  }
  const printed = printSize(condition.size);
  const own = isOfOneOfMany(printed) ? impliedAnswer(world, condition.size) : null;
  if (own !== null) return own;
  const key = `symbol ${asOfAll(printed)}`;
  const earlier = world.decisions.get(key);
  if (!earlier) return impliedAnswer(world, condition.size);
  // More hangs on it than did so far.
  if (earlier.acting === 'never') world.decisions.set(key, { ...earlier, acting: 'perhaps' });
  return earlier.taken;
}

/** What runs when a condition holds, and when it does not. */
export interface Arms {
  readonly whenTrue: object | null;
  readonly whenFalse: object | null;
  /** Whether it goes on in a loop that is open: none of its rounds is what an ordinary run does. */
  readonly isLoop?: boolean;
  /** Which answer says that there is nothing to be done, `if (count == 0) return;`: where there is one. */
  readonly nothingWhen?: boolean;
  /** All that the one does that leaves is to give back a number to go by, `if (argc < 2) return 5;`: nothing is wrong then. */
  readonly givesDefault?: boolean;
}

export const noArms: Arms = { whenTrue: null, whenFalse: null };

/**
 * Whether a condition holds on this run. A condition over symbols is decided once, so that `if (flag)` twice goes the
 * same way; anything else is decided per place and visit.
 */
export function decide(
  world: World,
  condition: Value,
  span: Span,
  preferred: boolean,
  otherExits: boolean,
  acting: Acting,
  arms: Arms = noArms,
  which: string | null = null,
): boolean {
  const known = truth(condition);
  if (known !== null) return known;
  world.asked++;
  const positive = negationOf(condition);
  if (positive)
    return !decide(world, positive, span, !preferred, otherExits, acting, {
      ...arms,
      whenTrue: arms.whenFalse,
      whenFalse: arms.whenTrue,
      ...(arms.nothingWhen === undefined ? {} : { nothingWhen: !arms.nothingWhen }),
    });
  const weight = world.lastingDepth > 0 && acting === 'surely' ? 'perhaps' : acting;
  const size = condition.kind === 'symbol' ? condition.size : null;
  if (size) noteAsked(world, size, span);
  const printed = size && printSize(size);
  // What was answered for others that share its name is no answer where it contradicts what was said of this one.
  const own = printed !== null && isOfOneOfMany(printed) ? impliedAnswer(world, size!) : null;
  if (own !== null) return own;
  const key = printed === null ? placeKey(world, span, which) : `symbol ${asOfAll(printed)}`;
  const earlier = world.decisions.get(key);
  if (earlier) {
    if (printed !== null && isOfOneOfMany(printed)) noteAnswer(world, size!, earlier.taken);
    // The same question again, with more depending on it.
    const both = stronger(earlier.acting, weight);
    if (both !== earlier.acting) world.decisions.set(key, { ...earlier, acting: both });
    world.decided = key;
    return earlier.taken;
  }
  const implied = size && impliedAnswer(world, size);
  if (implied !== null) {
    if (!implied && arms.isLoop && acting === 'surely') notePassedOver(world, size!, arms.whenTrue);
    return implied;
  }
  const hinted = condition.kind === 'symbol' && condition.hint !== null ? condition.hint !== 0 : preferred;
  // `if (argc < 3) return 1;`: an ordinary run is one that goes on. `if (status == cudaSuccess) return true;`: and in which calls succeed.
  const isStatus = size?.kind === 'symbol' && world.mayFail?.has(size.name) === true;
  const goesOn = otherExits && hinted !== preferred && !isStatus && arms.givesDefault !== true;
  const usual =
    (size && (usualAnswer(world, size) ?? answerBeyondOrdinary(world, size))) ?? (goesOn ? preferred : hinted);
  const taken = world.preset.get(key) ?? usual;
  const untaken = taken ? arms.whenFalse : arms.whenTrue;
  if (untaken && !world.untaken.has(key)) world.untaken.set(key, untaken);
  world.decisions.set(key, {
    key,
    span,
    taken,
    otherExits,
    acting: weight,
    isLoop: arms.isLoop === true,
    isOfNothing: arms.nothingWhen === taken,
    isOfEnd: world.endingAt === world.frames.length && weight === 'never' && !otherExits,
    condition: size,
    places: [span],
    at: world.events.length,
  });
  if (size) noteAnswer(world, size, taken, key);
  world.decided = key;
  return taken;
}

/** `if (count == 0) report("none");`: a loop over `count` is passed over because of that choice. */
function notePassedOver(world: World, condition: Size, body: object | null): void {
  const key = deciderOf(world, condition);
  const decision = key === undefined ? undefined : world.decisions.get(key);
  if (!decision || decision.isLoop || decision.acting === 'surely') return;
  world.decisions.set(decision.key, { ...decision, passesOver: true });
  if (body && !world.untaken.has(decision.key)) world.untaken.set(decision.key, body);
}

/** Works out what the program returns: of the choices that are made for that alone it is noted. */
export function whileEnding<T>(world: World, work: () => T): T {
  const before = world.endingAt;
  world.endingAt = world.frames.length;
  try {
    return work();
  } finally {
    world.endingAt = before;
  }
}

/** How many times a run has come by a place, and its key then. */
export function placeKey(world: World, span: Span, which: string | null): string {
  const place = `place ${span.file}:${span.start}:`;
  if (which !== null) return place + which;
  return world.quietUntil === null ? `${place}${Math.min(mostVisits, visit(world, place))}` : `${place}quiet`;
}

/** Macros of test and logging libraries that leave the function, or the program. */
const leavingCalls: ReadonlySet<string> = new Set([
  'GTEST_SKIP',
  'GTEST_FAIL',
  'FAIL',
  'SKIP',
  'BOOST_FAIL',
  'UNREACHABLE',
  'PANIC',
  'LOG_FATAL',
  '__builtin_unreachable',
  'unreachable',
]);
/** Those that leave when what they are given does not hold. */
const assertions: ReadonlySet<string> = new Set([
  'ASSERT',
  'ASSERT_TRUE',
  'REQUIRE',
  'CHECK',
  'TORCH_CHECK',
  'TORCH_INTERNAL_ASSERT',
  'BOOST_REQUIRE',
]);

/** `GTEST_SKIP() << "…";`, `REQUIRE(false);`, `LOG(FATAL) << "…";` */
export function endsFunction(expression: Expression): boolean {
  if (expression.kind === 'binary' && expression.operator === '<<') return endsFunction(expression.left);
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false;
  const name = lastPart(expression.callee.name);
  const first = expression.arguments[0];
  if (leavingCalls.has(name)) return true;
  if (name === 'LOG') return first?.kind === 'name' && first.name === 'FATAL';
  return first !== undefined && assertions.has(name) && truthOf(first) === false;
}

/** `EXPECT_EQ(a, b) << text(c)`, of a library: the text is asked for only where the check fails. */
export function isCheckWithMessage(world: World, expression: Expression): boolean {
  if (expression.kind === 'binary') return expression.operator === '<<' && isCheckWithMessage(world, expression.left);
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false;
  const { name } = expression.callee;
  return checksWithMessages.has(name) && !world.program.macro(name) && !isOwnFunction(world, name);
}

/** `FAIL` of `FAIL() << "…"`. */
export function calledName(expression: Expression): string {
  if (expression.kind === 'binary') return calledName(expression.left);
  return expression.kind === 'call' && expression.callee.kind === 'name' ? lastPart(expression.callee.name) : '';
}

/** Of the languages, of what stands beside them, and of the tools that came with CUDA 4. */
const ending: ReadonlySet<string> = new Set([
  ...['exit', 'abort', '_exit', '_Exit', 'terminate', 'quick_exit', '__builtin_trap'].flatMap((name) => [
    name,
    `::${name}`,
    `std::${name}`,
  ]),
  // Of one thread, back to a `setjmp`, or to the interpreter that has called.
  ...['pthread_exit', 'thrd_exit', 'ExitThread', '_endthread', '_endthreadex', 'longjmp', '_longjmp', 'siglongjmp'],
  ...['mexErrMsgTxt', 'mexErrMsgIdAndTxt', 'Rf_error'],
  ...['MPI_Abort', 'shmem_global_exit', 'nvshmem_global_exit', 'errx', 'verrx', '__assert_fail'],
  ...['cutilExit', 'shrQAFinishExit', 'shrQAFinishExit2'],
]);

/** Whether a call of that name, where it is none of the program's own functions, ends the program. */
export function isEndOfProgram(name: string): boolean {
  return ending.has(name);
}

/** A method that is called `terminate`, or `exit`, ends no program. */
function isOwnFunction(world: World, name: string): boolean {
  const { functions } = world.program;
  const className = classOfFrame(world);
  return functions.get(name)?.some(({ body }) => body) === true || functions.has(`${className}::${name}`);
}

/** Whether a statement certainly leaves the function, the loop or the program, also through a function that ends it. */
export function leaves(world: World, statement: Statement | null, depth = 0): boolean {
  if (!statement) return false;
  switch (statement.kind) {
    case 'return':
    case 'break':
    case 'continue':
    case 'goto':
      return true;
    case 'block':
      return anyLeaves(world, statement.body, depth);
    case 'loop':
      return statement.bodyFirst && leavesFunction(world, statement.body, depth);
    case 'expression': {
      const { expression } = statement;
      if (leavesThroughMacro(world, expression, depth)) return true;
      if (expression.kind === 'throw' || endsFunction(expression)) return true;
      if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false;
      const { name } = expression.callee;
      if ((isEndOfProgram(name) && !isOwnFunction(world, name)) || endsProgram(world, name, depth)) return true;
      return isFailedCheck(world, expression, depth);
    }
    default:
      return false;
  }
}

function anyLeaves(world: World, body: readonly Statement[], depth: number): boolean {
  return body.some((each) => leaves(world, each, depth));
}

/** Whether a statement does nothing but leave where something does not hold: `if (!ok) throw error;`, and macros for that. */
export function onlyChecks(world: World, statement: Statement, depth = 0): boolean {
  switch (statement.kind) {
    case 'block':
      return statement.body.length > 0 && statement.body.every((each) => onlyChecks(world, each, depth));
    case 'if':
      if (statement.whenFalse || statement.initializer || someNode(statement.condition, changesSomething)) return false;
      return leaves(world, statement.whenTrue) || onlyChecks(world, statement.whenTrue, depth);
    case 'loop':
      return statement.bodyFirst && isZero(statement.condition) && onlyChecks(world, statement.body, depth);
    case 'expression': {
      const { expression } = statement;
      const name = expression.kind === 'call' ? expression.callee : expression;
      if (name.kind !== 'name' || depth > 4) return false;
      if (!world.program.macro(name.name)) return expression.kind === 'call' && isCheck(world, name.name, depth);
      if (expression.kind === 'call' && expression.arguments.some((each) => someNode(each, changesSomething)))
        return false;
      const body = world.program.expand(name.name);
      return body?.kind === 'statements' && body.body.every((each) => onlyChecks(world, each, depth + 1));
    }
    default:
      return false;
  }
}

/** `require(ok, "no");`: a function of the program that does nothing but end it where something does not hold. */
function isCheck(world: World, name: string, depth: number): boolean {
  const definitions = functionsNamed(world, name)?.filter(({ body }) => body) ?? [];
  return (
    definitions.length > 0 &&
    definitions.every(({ body }) => {
      const [only, ...others] = body!.statements;
      return (
        only?.kind === 'if' && others.length === 0 && !only.whenFalse && endsInFailure(world, only.whenTrue, depth + 1)
      );
    })
  );
}

/** Whether a statement ends the program or throws, where none of the choices that it offers is made: `else if (b) return g(); else throw …;` */
export function endsInFailure(world: World, statement: Statement, depth = 0): boolean {
  if (statement.kind === 'if') return statement.whenFalse !== null && endsInFailure(world, statement.whenFalse, depth);
  if (statement.kind === 'expression') return leaves(world, statement, depth);
  const last = statement.kind === 'block' ? statement.body.at(-1) : undefined;
  return last !== undefined && endsInFailure(world, last, depth);
}

function isZero(condition: Expression | null): boolean {
  return condition?.kind === 'number' && condition.value === 0;
}

function changesSomething({ kind }: { readonly kind: string }): boolean {
  return kind === 'call' || kind === 'launch' || kind === 'assign' || kind === 'construct';
}

/** `do { … throw …; } while (0)`: a `break` in it only leaves the loop. */
function leavesFunction(world: World, body: Statement, depth: number): boolean {
  const inner = body.kind === 'block' ? body.body : [body];
  return inner.some((each) => each.kind !== 'break' && each.kind !== 'continue' && leaves(world, each, depth));
}

/** `if (!(x)) FAIL_WITH("x")`: a macro that throws or ends the program. */
function leavesThroughMacro(world: World, expression: Expression, depth: number): boolean {
  const name = expression.kind === 'call' ? expression.callee : expression;
  if (name.kind !== 'name' || depth > 4) return false;
  const body = world.program.macro(name.name) ? world.program.expand(name.name) : null;
  if (!body) return false;
  if (body.kind === 'statements') return anyLeaves(world, body.body, depth + 1);
  return leaves(world, { kind: 'expression', expression: body.expression, span: expression.span }, depth + 1);
}

/** `[[noreturn]] void fail();` without a body: whatever it does, nothing comes behind it. */
export function isDeclaredEndless(world: World, name: string): boolean {
  const { prototypes, functions } = world.program;
  const declared = prototypes.get(name) ?? prototypes.get(lastPart(name)) ?? [];
  const isEndless = declared.length > 0 && declared.every((each) => each.neverReturns === true);
  return isEndless && !functions.get(name)?.some(({ body }) => body);
}

/** `usage();` and `fail(message);`: a function of the program whose body always ends in `exit` or a throw. */
function endsProgram(world: World, name: string, depth: number): boolean {
  if (depth > 4) return false;
  const plain = name.startsWith('::') ? lastPart(name) : name;
  if (isDeclaredEndless(world, plain)) return true;
  const definitions = functionsNamed(world, plain)?.filter((definition) => definition.body);
  return definitions !== undefined && definitions.length > 0 && allEnd(world, definitions, depth);
}

function allEnd(world: World, definitions: readonly FunctionDefinition[], depth: number): boolean {
  return definitions.every((definition) =>
    definition.body!.statements.some((each) => each.kind === 'expression' && leaves(world, each, depth + 1)),
  );
}
