/** Variables of the program that begin as others are: these are read when the program starts, whatever is stored in them later. */

import { Attached } from '../base/attached.ts';
import type { Declaration, Expression } from '../program/program.ts';
import { someNode } from '../program/walk.ts';
import { lastPart, type ProgramTable } from './program-table.ts';

/** What is known of a program: the variables that are not `const`, and which others read them. */
interface Variables {
  readonly names: ReadonlySet<string>;
  readonly reading: WeakMap<Declaration, boolean>;
}

const known = new Attached<ProgramTable, Variables>();

/** By their plain names, the static ones of classes too. */
function variablesOf(program: ProgramTable): Variables {
  const found = known.get(program);
  if (found) return found;
  const names = new Set<string>();
  const add = ({ name, type, isElsewhere }: Declaration): void => {
    if (!type.isConst && !isElsewhere) names.add(lastPart(name));
  };
  for (const each of program.globals) add(each);
  for (const { fields } of program.classes.values()) for (const field of fields) if (field.isStatic) add(field);
  const variables = { names, reading: new WeakMap<Declaration, boolean>() };
  known.set(program, variables);
  return variables;
}

/** Whether what it begins as hangs on what such a variable holds. */
export function readsVariables(program: ProgramTable, declaration: Declaration): boolean {
  const { initializer, constructorArguments } = declaration;
  const isPlain = initializer === null || initializer.kind === 'number' || initializer.kind === 'string';
  if (isPlain && constructorArguments === null) return false;
  const { names, reading } = variablesOf(program);
  const before = reading.get(declaration);
  if (before !== undefined) return before;
  const values: readonly (Expression | null)[] = [initializer, ...(constructorArguments ?? [])];
  const result = names.size > 0 && values.some((value) => value !== null && readsOne(value, names));
  reading.set(declaration, result);
  return result;
}

function readsOne(expression: Expression, names: ReadonlySet<string>): boolean {
  return someNode(expression, (node) => node.kind === 'name' && names.has(lastPart(node.name)));
}
