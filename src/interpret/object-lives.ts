/**
 * Lives of objects as a caller may lead them, tried for each class that holds memory or handles: the constructor, the methods that give its members their memory and handles, one
 * method, the destructor. What one of them allocates another frees, and each of them alone does not show it.
 */

import { isDeviceCall, type ModelTable } from '../models/model.ts';
import type { ClassDefinition, Expression, FunctionDefinition, Statement, TypeReference } from '../program/program.ts';
import { eachNode } from '../program/walk.ts';
import { type Entry, isHostCode } from './entries.ts';
import { handleTypeOf } from './handle-types.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from './program-table.ts';
import { isType } from './types/type-arguments.ts';

/** What runs before the method that an entry names, and behind it. */
export interface Life {
  readonly definition: ClassDefinition;
  /** Undefined where the class has none of its own. */
  readonly begins: FunctionDefinition | undefined;
  /** Methods that give members what the method needs. */
  readonly before: readonly FunctionDefinition[];
  /** Behind the method; undefined where there is none, or where the method is a part of others, which may do more than it does. */
  readonly destructor: FunctionDefinition | undefined;
  /** The object's own pointers and handles, and members that are nothing but a few of them, as `struct { float *host, *device; } slots[2];`. */
  readonly members: ReadonlySet<string>;
  /** What the latter have. */
  readonly parts: ReadonlySet<string>;
}

/** Lives of one class, and of all classes of a program. */
const mostOfClass = 12;
const mostInProgram = 40;
/** Methods that are run before another. */
const mostBefore = 3;

/** One entry for each method of the file that works with what others have made. `check` is called between them, and may throw. */
export function findLives(program: ProgramTable, models: ModelTable, check: () => void): readonly Entry[] {
  if (program.isScript) return [];
  const primary = program.modules[0]?.file;
  const calls = ({ body }: FunctionDefinition): boolean =>
    [...(body?.mentions ?? [])].some((name) => isDeviceCall(models, name));
  const out: Entry[] = [];
  const withoutObject = functionsWithoutObject(program);
  for (const [className, methods] of methodsByClass(program, primary)) {
    if (out.length >= mostInProgram) break;
    check();
    const definition = program.classes.get(className);
    if (!definition || definition.isClosure || definition.specialises || !areBasesSeen(program, definition)) continue;
    const { members, parts } = heldMembers(program, definition);
    if (members.size === 0 || !methods.some(calls)) continue;
    const own = classLives(program, definition, members, parts, methods, withoutObject);
    if (!own) continue;
    const lives = methods.filter((method) => method.span.file === primary).flatMap((method) => own(method) ?? []);
    out.push(...lives.slice(0, mostOfClass));
  }
  return out.slice(0, mostInProgram);
}

/** Of a base that is not seen, or that has the same name, nobody can tell what it begins and ends. */
function areBasesSeen(program: ProgramTable, { name, bases }: ClassDefinition): boolean {
  return bases.every((base) => lastPart(base) !== lastPart(name) && findClass(program, base) !== undefined);
}

/** Methods that the host runs, of the classes of which one is in the file. */
function methodsByClass(
  program: ProgramTable,
  primary: string | undefined,
): ReadonlyMap<string, readonly FunctionDefinition[]> {
  const all = new Map<string, FunctionDefinition[]>();
  const here = new Set<string>();
  for (const definition of program.allFunctions()) {
    const { className } = definition;
    if (!className || !isHostCode(definition) || definition.isLocal || definition.isStatic || definition.isTest)
      continue;
    if (definition.span.file === primary) here.add(className);
    const known = all.get(className);
    if (known) known.push(definition);
    else all.set(className, [definition]);
  }
  return new Map([...all].filter(([name]) => here.has(name)));
}

/** The life around a method; null where nobody can tell how an object of the class comes to be what the method needs. */
function classLives(
  program: ProgramTable,
  definition: ClassDefinition,
  members: ReadonlySet<string>,
  parts: ReadonlySet<string>,
  methods: readonly FunctionDefinition[],
  withoutObject: WithoutObject,
): ((method: FunctionDefinition) => Entry | null) | null {
  const isConstructor = ({ name }: FunctionDefinition): boolean => lastPart(name) === lastPart(definition.name);
  const isDestructor = ({ name }: FunctionDefinition): boolean => lastPart(name).startsWith('~');
  const gives = new Map(methods.map((method) => [method, givenBy(method, members)]));
  const constructors = methods.filter((method) => isConstructor(method) && !isCopying(method, definition));
  const begins = constructors.find((each) => (gives.get(each)?.size ?? 0) > 0) ?? constructors[0];
  const declared = definition.methods.some((method) => isConstructor(method) && !isCopying(method, definition));
  if (!begins && declared && !definition.methods.some((each) => isConstructor(each) && each.isDefaulted)) return null;
  const destructor = methods.find(isDestructor);
  const makers = methods.filter((method) => !isConstructor(method) && !isDestructor(method) && isPlain(method));
  const led = begins ? ledToBy(begins, methods, withoutObject) : new Set<FunctionDefinition>();
  const begun = new Set([...led].flatMap((each) => [...(gives.get(each) ?? [])]));
  const ofBeginning = onlyLedTo(program, led, constructors);
  const usedBy = (method: FunctionDefinition): ReadonlySet<string> => mentionedBy(method, methods, members);

  /** Adds to `before` what makes the members that a method uses; false where somebody else makes one. */
  const prepare = (method: FunctionDefinition, before: FunctionDefinition[], depth: number): boolean => {
    for (const member of usedBy(method)) {
      if (begun.has(member) || gives.get(method)?.has(member)) continue;
      if (before.some((each) => gives.get(each)?.has(member))) continue;
      const maker = makers.find((each) => each !== method && gives.get(each)?.has(member));
      if (!maker || depth > mostBefore || !prepare(maker, before, depth + 1)) return false;
      if (!before.includes(maker)) before.push(maker);
    }
    return before.length <= mostBefore;
  };
  const isPart = (method: FunctionDefinition): boolean =>
    methods.some((each) => each !== method && each.body?.mentions.has(lastPart(method.name)));
  return (method) => {
    if (isConstructor(method) || !(isPlain(method) || isDestructor(method)) || ofBeginning.has(method)) return null;
    const before: FunctionDefinition[] = [];
    if (!prepare(method, before, 0)) return null;
    if (before.some((each) => finishedBy(program, each, methods, members, withoutObject).has(method))) return null;
    const made = new Set([...begun, ...before.flatMap((each) => [...(gives.get(each) ?? [])])]);
    if (![...usedBy(method)].some((member) => made.has(member)) && !(destructor && (gives.get(method)?.size ?? 0) > 0))
      return null;
    const names = [begins, ...before].flatMap((each) => each?.name ?? []).join(', ');
    return {
      name: `${method.name} in a life of ${definition.name}${names && ` behind ${names}`}`,
      definition: method,
      life: { definition, begins, before, destructor: isPart(method) ? undefined : destructor, members, parts },
    };
  };
}

/** Functions that are given their object, as `static void loop(Worker *self)` is, by name. */
type WithoutObject = ReadonlyMap<string, readonly FunctionDefinition[]>;

function functionsWithoutObject(program: ProgramTable): WithoutObject {
  const out = new Map<string, FunctionDefinition[]>();
  for (const definition of program.allFunctions()) {
    if (!definition.body || !isHostCode(definition) || (definition.className && !definition.isStatic)) continue;
    const name = lastPart(definition.name);
    const known = out.get(name);
    if (known) known.push(definition);
    else out.set(name, [definition]);
  }
  return out;
}

/** A constructor and the methods that run with it, also through `std::thread(loop, this)`. */
function ledToBy(
  begins: FunctionDefinition,
  methods: readonly FunctionDefinition[],
  withoutObject: WithoutObject,
): ReadonlySet<FunctionDefinition> {
  const out = new Set([begins]);
  for (const { body } of out) {
    if (!body) continue;
    for (const each of methods) if (body.mentions.has(lastPart(each.name))) out.add(each);
    for (const name of body.mentions)
      for (const each of withoutObject.get(name) ?? [])
        if (!each.className || each.className === begins.className) out.add(each);
  }
  return out;
}

/** Of the methods that run with a constructor those that nobody else names: they run once in a life, and have had their turn. */
function onlyLedTo(
  program: ProgramTable,
  led: ReadonlySet<FunctionDefinition>,
  constructors: readonly FunctionDefinition[],
): ReadonlySet<FunctionDefinition> {
  const out = new Set([...led].filter((each) => !constructors.includes(each)));
  const others = out.size > 0 ? program.allFunctions().filter(({ body }) => body) : [];
  const isNamedBy = (method: FunctionDefinition, { body }: FunctionDefinition): boolean =>
    body?.mentions.has(lastPart(method.name)) === true;
  for (let before = -1; before !== out.size; ) {
    before = out.size;
    for (const method of out)
      if (others.some((each) => !out.has(each) && !constructors.includes(each) && isNamedBy(method, each)))
        out.delete(method);
  }
  return out;
}

/** Methods that run behind where another one gives members what they hold, and that nobody else names: they have had their turn with it. */
function finishedBy(
  program: ProgramTable,
  maker: FunctionDefinition,
  methods: readonly FunctionDefinition[],
  members: ReadonlySet<string>,
  withoutObject: WithoutObject,
): ReadonlySet<FunctionDefinition> {
  const given = Math.min(...placesGiven(maker, members).map(({ at }) => at));
  const called = new Set<string>();
  eachNode(maker.body?.statements ?? [], (node) => {
    if (node.kind !== 'call' || node.span.start < given) return;
    if (node.callee.kind === 'name' || node.callee.kind === 'member') called.add(lastPart(node.callee.name));
  });
  const first = methods.filter((each) => called.has(lastPart(each.name)));
  const led = new Set([maker, ...first.flatMap((each) => [...ledToBy(each, methods, withoutObject)])]);
  return onlyLedTo(program, led, [maker]);
}

/** Members that are pointers or handles, and those that are nothing but a few of them. */
function heldMembers(program: ProgramTable, definition: ClassDefinition): Pick<Life, 'members' | 'parts'> {
  const members = new Set(ownHeld(program, definition));
  const parts = new Set<string>();
  for (const { name, type, isStatic } of definition.fields) {
    const inside = isStatic || type.isReference || type.pointers > 0 ? [] : partsOf(program, type);
    if (inside.length > 0) members.add(name);
    for (const each of inside) parts.add(each);
  }
  return { members, parts };
}

function ownHeld(program: ProgramTable, { fields }: ClassDefinition): readonly string[] {
  return fields.flatMap(({ name, type, isStatic }) => {
    const resolved = resolveType(program, type);
    const isHeld = resolved.pointers > 0 || resolved.name === 'CUdeviceptr' || handleTypeOf(resolved) !== null;
    return !isStatic && isHeld ? [name] : [];
  });
}

/** The pointers and handles of a structure without functions, or of each in an array or a container of such. */
function partsOf(program: ProgramTable, type: TypeReference): readonly string[] {
  const resolved = resolveType(program, type);
  const [element] = /^std::(?:array|vector|deque)$/.test(resolved.name) ? resolved.arguments : [];
  const only = element && isType(element) ? resolveType(program, element) : resolved;
  const definition = only.pointers > 0 ? undefined : findClass(program, only.name);
  const isPlain = definition?.methods.length === 0 && definition.bases.length === 0 && !definition.specialises;
  return isPlain ? ownHeld(program, definition) : [];
}

/** Operators and what is only for objects that are given away take part in other lives. */
function isPlain({ name, isForMoved }: FunctionDefinition): boolean {
  return !lastPart(name).startsWith('operator') && !isForMoved;
}

/** A constructor that takes an object of its own class. */
function isCopying({ parameters }: FunctionDefinition, { name }: ClassDefinition): boolean {
  return parameters.length === 1 && lastPart(parameters[0]!.type.name) === lastPart(name);
}

/** The members that a method stores something in, or gives the address of away. */
function givenBy(method: FunctionDefinition, members: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(placesGiven(method, members).map(({ member }) => member));
}

/** The same, with where each is given something. */
function placesGiven(method: FunctionDefinition, members: ReadonlySet<string>): { member: string; at: number }[] {
  const out: { member: string; at: number }[] = [];
  for (const { name } of method.memberInitializers) if (members.has(name)) out.push({ member: name, at: 0 });
  if (![...members].some((member) => method.body?.mentions.has(member))) return out;
  const { statements } = method.body ?? { statements: [] };
  const named = namesOfMembers(statements);
  const note = (expression: Expression): void => {
    const member = memberNamed(expression, named);
    if (member !== null && members.has(member)) out.push({ member, at: expression.span.start });
  };
  eachNode(statements, (node) => {
    if (node.kind === 'unary' && node.operator === '&') note(node.operand);
    else if (node.kind === 'assign' && !isNothing(node.value)) note(node.target);
  });
  return out;
}

/** `for (auto &slot : slots_)`, `auto &slot = slots_[i];`: what stands for which member. */
function namesOfMembers(statements: readonly Statement[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  const note = (name: string, expression: Expression): void => {
    const member = memberNamed(expression, out);
    if (member !== null) out.set(name, member);
  };
  eachNode(statements, (node) => {
    if (node.kind === 'forEach' && node.declaration?.type.isReference) note(node.declaration.name, node.range);
    if (node.kind === 'declare')
      for (const { name, type, initializer } of node.declarations)
        if (type.isReference && initializer) note(name, initializer);
  });
  return out;
}

/** `x`, `this->x`, `x[i]`, `x.part`, `x[i].part`. */
function memberNamed(expression: Expression, named: ReadonlyMap<string, string>): string | null {
  if (expression.kind === 'name') return named.get(expression.name) ?? expression.name;
  if (expression.kind === 'index') return memberNamed(expression.object, named);
  if (expression.kind !== 'member') return null;
  const { object, name, isArrow } = expression;
  if (object.kind === 'name' && object.name === 'this') return name;
  return isArrow ? null : memberNamed(object, named);
}

function isNothing(value: Expression): boolean {
  if (value.kind === 'cast') return isNothing(value.operand);
  return value.kind === 'number' ? value.value === 0 : value.kind === 'name' && /^(?:nullptr|NULL)$/.test(value.name);
}

/** The members that a method, or a method of the class that it calls, names. */
function mentionedBy(
  method: FunctionDefinition,
  methods: readonly FunctionDefinition[],
  members: ReadonlySet<string>,
): ReadonlySet<string> {
  const out = new Set<string>();
  const seen = new Set([method]);
  for (const each of seen) {
    const { body } = each;
    if (!body) continue;
    for (const member of members) if (body.mentions.has(member)) out.add(member);
    for (const other of methods) if (body.mentions.has(lastPart(other.name))) seen.add(other);
  }
  return out;
}
