/** Whether an operator or a function that a template asks for is there for objects of a class: `requires(T a) { a + a; area(a); }`. */

import type {
  ClassDefinition,
  Expression,
  FunctionDefinition,
  Statement,
  TypeReference,
} from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { isPartOf } from '../expressions/conversions.ts';
import { findClass, hasUnseenBase, lastPart, resolveType } from '../program-table.ts';
import type { World } from '../world.ts';
import { relationOf } from './related-types.ts';

/** What is asked for, and of what: the operands of which a class may have it, and those that a function outside of classes may be for. */
interface Asked {
  readonly names: readonly string[];
  readonly operands: readonly Expression[];
  readonly isOfClass: boolean;
}

/** What `<` and its like, and `==` and `!=`, may be made of. */
const madeOf: Readonly<Record<string, readonly string[]>> = {
  '<': ['operator<=>'],
  '>': ['operator<=>'],
  '<=': ['operator<=>'],
  '>=': ['operator<=>'],
  '==': ['operator<=>'],
  '!=': ['operator==', 'operator<=>'],
};

/** What an expression calls by its operands, where one of them is an object; null for all else. */
function askedBy(expression: Expression | Statement): Asked | null {
  switch (expression.kind) {
    case 'binary': {
      const { operator, left, right } = expression;
      if (operator === '&&' || operator === '||' || operator === ',') return null;
      const names = [`operator${operator}`, ...(madeOf[operator] ?? [])];
      return { names, operands: [left, right], isOfClass: true };
    }
    case 'assign':
      if (expression.operator === '=') return null;
      return { names: [`operator${expression.operator}`], operands: [expression.target], isOfClass: true };
    case 'update':
      return { names: [`operator${expression.operator}`], operands: [expression.operand], isOfClass: true };
    case 'unary':
      if (!/^[-+~*!]$/.test(expression.operator)) return null;
      return { names: [`operator${expression.operator}`], operands: [expression.operand], isOfClass: true };
    case 'index':
      return { names: ['operator[]'], operands: [expression.object], isOfClass: true };
    case 'call': {
      const { callee } = expression;
      if (callee.kind !== 'name' || callee.name.includes('::')) return null;
      return { names: [callee.name], operands: expression.arguments, isOfClass: false };
    }
    default:
      return null;
  }
}

/**
 * Whether objects have what the expression asks of them; null where nobody can tell. `typeOf`: of an operand, where that is known.
 * An object that is called itself, `t(1)`, is asked for its `operator()`.
 */
export function operatorThere(
  world: World,
  expression: Expression | Statement,
  typeOf: (operand: Expression) => TypeReference | null,
): boolean | null {
  const isCalled = expression.kind === 'call' && typeOf(expression.callee) !== null;
  const asked = isCalled
    ? { names: ['operator()'], operands: [expression.callee], isOfClass: true }
    : askedBy(expression);
  if (!asked) return true;
  const types = asked.operands.map((operand) => {
    const type = typeOf(operand);
    return type && resolveType(world.program, type);
  });
  const classes = types.flatMap((type) => (type && type.pointers === 0 && findClass(world.program, type.name)) || []);
  if (classes.length === 0) return true;
  const isUnsure = classes.some(
    ({ name }) => world.program.conversions.has(name) || hasUnseenBase(world.program, name),
  );
  let isOpen = isUnsure || types.includes(null);
  for (const name of asked.names) {
    if (asked.isOfClass && classes.some((each) => hasMethod(world, each, name, 0))) return true;
    const free = world.program.functions.get(name);
    // Who has a function that is called so, and not defined here, nobody knows.
    if (!free && !asked.isOfClass) return null;
    for (const each of free ?? []) {
      const found = takesOne(world, each, classes);
      if (found) return true;
      isOpen ||= found === null;
    }
  }
  return isOpen ? null : false;
}

function hasMethod(world: World, definition: ClassDefinition, name: string, depth: number): boolean {
  if (definition.methods.some((method) => lastPart(method.name) === name)) return true;
  if (depth > 8) return false;
  return definition.bases.some((base) => {
    const found = findClass(world.program, base);
    return found !== undefined && hasMethod(world, found, name, depth + 1);
  });
}

/** Whether a function takes an object of one of the classes; null where it is a template, or makes an object of what it is given. */
function takesOne(
  world: World,
  { parameters, templateParameters }: FunctionDefinition,
  classes: readonly ClassDefinition[],
): boolean | null {
  const isTaken = parameters.some(({ type }) =>
    classes.some(({ name }) => isPartOf(world, name, lastPart(resolveType(world.program, type).name), 0)),
  );
  if (isTaken) return true;
  const mayBeMade = parameters.some(({ type }) => {
    if (type.pointers > 0 || !findClass(world.program, type.name)) return false;
    return classes.some(({ name }) => relationOf(world, 'is_convertible', [typeNamed(name), type]) !== false);
  });
  return templateParameters.length > 0 || mayBeMade ? null : false;
}
