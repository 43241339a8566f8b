/** Instances of kernel templates: `scatter<true><<<grid, block>>>(…)` is another kernel than `scatter<false>`. */

import type { Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { findName } from '../expressions/names.ts';
import { resolveType } from '../program-table.ts';
import type { Scope } from '../scope.ts';
import { argumentValue } from '../types/argument-values.ts';
import { pointedInstance } from '../types/function-instances.ts';
import { classOf } from '../types/specialisations.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import type { Value } from '../value.ts';
import type { World } from '../world.ts';
import type { Given } from './device-things.ts';

type TemplateArguments = TypeReference['arguments'];

/** Of what is no template. */
export const noConstants: Given = new Map();

const mark = '<';

/** The template parameter of which a path says what it stands for; null for an argument's. */
export function templateParameterAt(path: string): string | null {
  return path.startsWith(mark) ? path.slice(mark.length) : null;
}

/** A kernel that is named with template arguments, with those that are numbers, classes or functions; another template with all of them; any other value as it is. */
export function instanceNamed(world: World, scope: Scope, value: Value, list: TemplateArguments): Value {
  if (value.kind !== 'function' || list.length === 0) return value;
  const isOfKernels = world.program.functions.get(value.name)?.some(({ isKernel }) => isKernel);
  if (!isOfKernels) return pointedInstance(world, scope, value, list);
  const template = list.map((each) => {
    const named = isType(each) ? resolveType(world.program, substitute(each, scope)) : null;
    // `Op` where the class around says `using Op = T;`, and is a template for `T`.
    const type = named && resolveType(world.program, substitute(named, scope));
    if (type) {
      const found = type.pointers === 0 ? classOf(world, scope, type) : undefined;
      if (found) return found.name;
      if (world.program.functions.get(type.name)?.some(({ isDevice }) => isDevice)) return type.name;
      if (isUnseen(world, scope, each)) return null;
    }
    const number = argumentValue(world, scope, each);
    return number.kind === 'number' ? number.value : null;
  });
  return template.every((each) => each === null) ? value : { ...value, template };
}

/** `half` where no header says what it is: asking for its value would make a variable of that name. */
function isUnseen(world: World, scope: Scope, each: TypeReference | Expression): boolean {
  if (!isType(each) || each.isCalled || each.arguments.length > 0 || each.name.includes('::')) return false;
  return !findName(world, scope, each.name) && !world.program.functions.has(each.name);
}

/** What a kernel's template parameters stand for that are numbers, classes or functions, where a launch names it as `kernel`. */
export function constantsOf(definition: FunctionDefinition | undefined, kernel: Value): Given {
  const named = kernel.kind === 'pointer' ? kernel.cell.value : kernel;
  if (!definition || definition.templateParameters.length === 0) return noConstants;
  const written = named.kind === 'function' ? (named.template ?? []) : [];
  const constants = new Map<string, number | string>();
  for (const [index, parameter] of definition.templateParameters.entries()) {
    if (parameter.endsWith('...')) break;
    const constant = index < written.length ? written[index] : defaultNumber(definition.templateDefaults?.[index]);
    if (constant !== null && constant !== undefined) constants.set(`${mark}${parameter}`, constant);
  }
  return constants;
}

function defaultNumber(written: TypeReference | Expression | null | undefined): number | null {
  if (!written) return null;
  if (!isType(written)) return written.kind === 'number' ? written.value : null;
  return written.name === 'true' || written.name === 'false' ? Number(written.name === 'true') : null;
}
