/**
 * Names that only the file sees in which they stand (C++20, [basic.link]): what is static or const at the top level, what stands in
 * a namespace without a name, and, since two source files seldom mean the same by one name there, classes and enumerators.
 */

import { itemAt } from './module-item.ts';
import type { ClassDefinition, Declaration, FunctionDefinition, Module } from './program.ts';

/** Whether a function, a class or a global of a source file is seen there only. */
export function isOwnNameOf(
  module: Module,
): (definition: ClassDefinition | FunctionDefinition | Declaration) => boolean {
  const classes = new Set(
    module.classes.flatMap(({ name, enclosing }) => (enclosing === undefined && /^\w+$/.test(name) ? [name] : [])),
  );
  const isUnnamed = (offset: number): boolean => itemAt(module.items ?? [], offset)?.isUnnamed === true;
  return (definition) => {
    if ('methods' in definition) return classes.has(definition.name);
    if (isUnnamed(definition.span.start)) return true;
    if ('body' in definition) {
      const { className, isStatic, isDevice, isKernel } = definition;
      if (className !== null) return classes.has(className.split('::', 1)[0]!);
      return isStatic || (isDevice && !isKernel);
    }
    const { name, type, isStatic, isEnumerator, isElsewhere } = definition;
    if (name.includes('::') || isElsewhere) return false;
    return isStatic || isEnumerator === true || (type.isConst && type.pointers === 0);
  };
}
