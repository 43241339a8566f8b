/** Classes defined inside a function. They are called after it (`main::Guard`), so that two functions may have one each. */

import type { ClassDefinition, FunctionDefinition } from '../program/program.ts';
import type { Scope } from './scope.ts';
import type { World } from './world.ts';

/** Makes the class known: to the program under its full name, to the scope under the name that is written there. */
export function defineLocalClass(world: World, scope: Scope, definition: ClassDefinition): void {
  const name = `${world.frames.at(-1)?.name ?? ''}::${definition.name}`;
  scope.templateTypes ??= new Map();
  scope.templateTypes.set(definition.name, {
    name,
    arguments: [],
    pointers: 0,
    isReference: false,
    isConst: false,
    extents: [],
  });
  if (definition.isClosure) world.classScopes.set(name, scope);
  if (world.program.classes.get(name)?.span === definition.span) return;
  const renamed = (method: FunctionDefinition): FunctionDefinition => ({
    ...method,
    isLocal: true,
    name: method.className === definition.name ? `${name}${method.name.slice(definition.name.length)}` : method.name,
    className: method.className === definition.name ? name : method.className,
  });
  world.program.define({ ...definition, name, methods: definition.methods.map(renamed) });
}
