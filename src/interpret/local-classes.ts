/** Classes defined inside a function. They are called after it (`main::Guard`), so that two functions may have one each. */

import type { ClassDefinition, FunctionDefinition } from '../program/program.ts';
import type { Scope } from './scope.ts';
import type { World } from './world.ts';

/** Makes the class known: to the program under its full name, to the scope under the name that is written there. */
export function defineLocalClass(world: World, scope: Scope, definition: ClassDefinition): void {
  const around = world.frames.at(-1)?.name ?? '';
  const name = definition.isClosure
    ? `${definition.name} (in ${around.replaceAll('::', '.')})`
    : `${around}::${definition.name}`;
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
    name: method.className === definition.name ? methodName(definition, name, method) : method.name,
    memberInitializers: method.memberInitializers.map((each) => ({
      ...each,
      name: baseNamed(scope, definition, each.name),
    })),
    className: method.className === definition.name ? name : method.className,
  });
  const bases = definition.bases.map((base) => baseNamed(scope, definition, base));
  world.program.define({ ...definition, name, bases, methods: definition.methods.map(renamed) });
}

function methodName(definition: ClassDefinition, name: string, method: FunctionDefinition): string {
  const plain = method.name.slice(definition.name.length);
  return definition.isClosure && plain === `::${definition.name}` ? `${name}::${name}` : `${name}${plain}`;
}

/** The full name of a base, which may be a class of the same function. */
function baseNamed(scope: Scope, { bases }: ClassDefinition, name: string): string {
  if (!bases.includes(name)) return name;
  for (let current: Scope | null = scope; current; current = current.parent) {
    const type = current.templateTypes?.get(name);
    if (type) return type.name;
  }
  return name;
}
