/** What a kernel does to the memory behind each pointer parameter: from its body, else from `const`. */

import { rememberedByProgram } from '../../program/consulted.ts';
import type { Expression, FunctionDefinition, Parameter } from '../../program/program.ts';
import { childNodes, eachNode, isNode } from '../../program/walk.ts';
import type { AccessMode } from '../../trace/event.ts';
import { lastPart } from '../program-table.ts';
import type { World } from '../world.ts';

interface Uses {
  read: boolean;
  write: boolean;
  escapes: boolean;
  /** Something other than an atomic operation reads or writes it. */
  plain: boolean;
}

/** What a kernel does to the memory behind one parameter. */
export interface KernelUse {
  readonly mode: AccessMode;
  /** Only atomic operations touch it: two such kernels at once do not race. */
  readonly isAtomic: boolean;
}

const unknownUse: KernelUse = { mode: 'unknown', isAtomic: false };

/** By program, because a kernel's accesses hang on the device functions it calls. */
const answers = rememberedByProgram<Parameter, KernelUse>();

/** Use of parameter `index`. A pointer to const is only read; without a body a plain pointer is `unknown`. */
export function kernelUse(world: World, definition: FunctionDefinition, index: number): KernelUse {
  const parameter = definition.parameters[Math.min(index, definition.parameters.length - 1)];
  if (!parameter) return unknownUse;
  if (parameter.type.isConst && parameter.type.pointers > 0) return { mode: 'read', isAtomic: false };
  if (index >= definition.parameters.length) return unknownUse;
  return answers(world.program).get(parameter, unknownUse, () => {
    const uses = usesOfParameter(world, definition, index, 0);
    return { mode: modeOf(uses), isAtomic: uses.write && !uses.plain && !uses.escapes };
  });
}

function modeOf(uses: Uses): AccessMode {
  if (uses.escapes) return uses.write ? 'readwrite' : 'unknown';
  if (uses.read && uses.write) return 'readwrite';
  if (uses.write) return 'write';
  return uses.read ? 'read' : 'unknown';
}

const maximumDepth = 6;

function usesOfParameter(world: World, definition: FunctionDefinition, index: number, depth: number): Uses {
  const uses: Uses = { read: false, write: false, escapes: false, plain: false };
  const parameter = definition.parameters[index];
  if (!parameter || !definition.body || depth > maximumDepth) return { ...uses, escapes: true };
  visit(world, definition.body.statements, aliasesOf(definition.body.statements, parameter.name), uses, depth);
  return uses;
}

/** The pointer, and locals initialised from it: `T *q = p + i;`, `auto &x = p[i];`. Twice, for chains. */
export function aliasesOf(body: object, pointer: string): ReadonlySet<string> {
  const aliases = new Set([pointer]);
  for (let round = 0; round < 2; round++)
    eachNode(body, (node) => {
      if (node.kind === 'declare')
        for (const { name, type, initializer } of node.declarations)
          if (
            initializer &&
            (type.pointers > 0 || type.isReference || type.name === 'auto') &&
            pointsInto(initializer, aliases)
          )
            aliases.add(name);
      if (node.kind === 'assign' && node.operator === '=' && node.target.kind === 'name')
        if (pointsInto(node.value, aliases)) aliases.add(node.target.name);
    });
  return aliases;
}

/** Whether the expression's value is an address derived from one of the names. */
export function pointsInto(expression: Expression, aliases: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'name':
      return aliases.has(expression.name);
    case 'cast':
      return pointsInto(expression.operand, aliases);
    case 'binary':
      return (
        (expression.operator === '+' || expression.operator === '-') &&
        (pointsInto(expression.left, aliases) || pointsInto(expression.right, aliases))
      );
    case 'unary':
      return (
        expression.operator === '&' &&
        (expression.operand.kind === 'index'
          ? pointsInto(expression.operand.object, aliases)
          : pointsInto(expression.operand, aliases))
      );
    case 'conditional':
      return pointsInto(expression.whenTrue, aliases) || pointsInto(expression.whenFalse, aliases);
    default:
      return false;
  }
}

/** Whether the expression is memory behind one of the names: `p[i]`, `*p`, `p->x`. */
export function isPlace(expression: Expression, aliases: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'index':
      return pointsInto(expression.object, aliases) || isPlace(expression.object, aliases);
    case 'unary':
      return expression.operator === '*' && pointsInto(expression.operand, aliases);
    case 'member':
      return isPlace(expression.object, aliases) || pointsInto(expression.object, aliases);
    case 'cast':
      return isPlace(expression.operand, aliases);
    default:
      return false;
  }
}

function visit(world: World, node: object, aliases: ReadonlySet<string>, uses: Uses, depth: number): void {
  if (isNode(node)) {
    if (node.kind === 'assign') {
      if (isPlace(node.target, aliases)) {
        uses.write = true;
        uses.plain = true;
        if (node.operator !== '=') uses.read = true;
        visitIndices(world, node.target, aliases, uses, depth);
      } else visit(world, node.target, aliases, uses, depth);
      if (!pointsInto(node.value, aliases)) visit(world, node.value, aliases, uses, depth);
      return;
    }
    if (node.kind === 'update') {
      if (isPlace(node.operand, aliases)) {
        uses.write = true;
        uses.read = true;
        uses.plain = true;
      }
      return;
    }
    if (node.kind === 'call') {
      visitCall(world, node, aliases, uses, depth);
      return;
    }
    if ((node.kind === 'index' || node.kind === 'member' || node.kind === 'unary') && isPlace(node, aliases)) {
      uses.read = true;
      uses.plain = true;
    }
  }
  for (const child of childNodes(node)) visit(world, child, aliases, uses, depth);
}

function visitIndices(world: World, target: Expression, aliases: ReadonlySet<string>, uses: Uses, depth: number): void {
  if (target.kind === 'index') {
    visit(world, target.index, aliases, uses, depth);
    visitIndices(world, target.object, aliases, uses, depth);
  }
}

function visitCall(
  world: World,
  call: Expression & { kind: 'call' },
  aliases: ReadonlySet<string>,
  uses: Uses,
  depth: number,
): void {
  const name = call.callee.kind === 'name' ? lastPart(call.callee.name) : '';
  const isAtomic = name.startsWith('atomic');
  call.arguments.forEach((argument, index) => {
    if (!pointsInto(argument, aliases)) {
      if (
        isAtomic &&
        index === 0 &&
        argument.kind === 'unary' &&
        argument.operator === '&' &&
        isPlace(argument.operand, aliases)
      ) {
        uses.read = true;
        uses.write = true;
        return;
      }
      const taken = isPlace(argument, aliases) ? usesOfReference(world, call, index, depth) : null;
      if (taken) {
        unite(uses, taken);
        visitIndices(world, argument, aliases, uses, depth);
      } else visit(world, argument, aliases, uses, depth);
      return;
    }
    if (isAtomic && index === 0) {
      uses.read = true;
      uses.write = true;
      return;
    }
    const callee = calleeOf(world, call);
    const inner = callee ? usesOfParameter(world, callee, index, depth + 1) : null;
    if (!inner) {
      if (/^__ld|^tex|^__ldg/.test(name)) {
        uses.read = true;
        uses.plain = true;
      } else uses.escapes = true;
      return;
    }
    unite(uses, inner);
  });
  if (call.callee.kind === 'member') visit(world, call.callee.object, aliases, uses, depth);
}

function calleeOf(world: World, call: Expression & { kind: 'call' }): FunctionDefinition | undefined {
  const name = call.callee.kind === 'name' ? lastPart(call.callee.name) : '';
  return world.program.functions
    .get(name)
    ?.find((definition) => definition.body && definition.parameters.length >= call.arguments.length);
}

/** What a function does to `p[i]` that it takes by reference; null when it takes the value, or is not seen. */
function usesOfReference(world: World, call: Expression & { kind: 'call' }, index: number, depth: number): Uses | null {
  const callee = calleeOf(world, call);
  const type = callee?.parameters[index]?.type;
  return callee && type?.isReference && !type.isConst ? usesOfParameter(world, callee, index, depth + 1) : null;
}

function unite(uses: Uses, more: Uses): void {
  uses.read ||= more.read;
  uses.plain ||= more.plain;
  uses.write ||= more.write;
  uses.escapes ||= more.escapes;
}
