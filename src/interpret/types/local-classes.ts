/** Classes defined inside a function. They are called after it (`main::Guard`), so that two functions may have one each. */

import type { ClassDefinition, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { nameType } from '../calls/macro-calls.ts';
import { createScope, type Scope, typeStoodFor } from '../scope.ts';
import { classHeldBy } from '../script/class-values.ts';
import type { World } from '../world.ts';
import { concreteType } from './packs.ts';
import { meantType } from './types-in-classes.ts';

/** Makes the class known: to the program under its full name, to the scope under the name that is written there. */
export function defineLocalClass(world: World, scope: Scope, definition: ClassDefinition): void {
  const around = world.frames.at(-1)?.name ?? '';
  const held = definition.isClosure ? heldBases(world, scope, definition) : none;
  const made = [around.replaceAll('::', '.'), ...held.values()].join(', ');
  const name = definition.isClosure ? `${definition.name} (in ${made})` : `${around}::${definition.name}`;
  scope.templateTypes ??= new Map();
  scope.templateTypes.set(definition.name, typeNamed(name));
  world.classScopes.set(name, definition.isClosure ? withBases(scope, held) : withTypes(world, scope));
  if (world.program.classes.get(name)?.span === definition.span) return;
  const outerName = (written: string): string => held.get(written) ?? baseNamed(scope, definition, written);
  const renamed = (method: FunctionDefinition): FunctionDefinition => ({
    ...method,
    isLocal: true,
    name: method.className === definition.name ? methodName(definition, name, method) : method.name,
    memberInitializers: method.memberInitializers.map((each) => ({ ...each, name: outerName(each.name) })),
    className: method.className === definition.name ? name : method.className,
  });
  const bases = definition.bases.map(outerName);
  world.program.define({ ...definition, name, bases, methods: definition.methods.map(renamed) });
}

/** `using Row = Matrix<T, 8 * sizeof(T)>;` in a function: with what `T` is here, since whoever is given a `Row` may have a `T` of its own. */
export function nameTypeHere(world: World, scope: Scope, name: string, type: TypeReference): void {
  nameType(scope, name, concreteType(world, scope, meantType(world, scope, type)));
}

const none: ReadonlyMap<string, string> = new Map();

/** The bases that are variables, with the classes that they hold: `class extends Base` in a function that is given `Base`. */
function heldBases(world: World, scope: Scope, { bases }: ClassDefinition): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const base of bases) {
    const held = classHeldBy(world, scope, base);
    if (held !== null && held !== base) out.set(base, held);
  }
  return out;
}

/** What the methods of the class see: in them its bases are those that it was made with. */
function withBases(scope: Scope, held: ReadonlyMap<string, string>): Scope {
  if (held.size === 0) return scope;
  const inner = createScope(scope);
  inner.templateTypes = new Map([...held].map(([base, name]) => [base, typeNamed(name)]));
  return inner;
}

/** What the methods of any other class see of the function around it: its classes, their own among them, and other names for types. */
function withTypes(world: World, scope: Scope): Scope {
  const inner = createScope(world.globals);
  inner.templateTypes = new Map();
  for (let current: Scope | null = scope; current; current = current.parent)
    for (const [name, type] of current.templateTypes ?? [])
      if (!inner.templateTypes.has(name)) inner.templateTypes.set(name, type);
  return inner;
}

function methodName(definition: ClassDefinition, name: string, method: FunctionDefinition): string {
  const plain = method.name.slice(definition.name.length);
  return definition.isClosure && plain === `::${definition.name}` ? `${name}::${name}` : `${name}${plain}`;
}

/** The full name of a base, which may be a class of the same function. */
function baseNamed(scope: Scope, { bases }: ClassDefinition, name: string): string {
  return bases.includes(name) ? (typeStoodFor(scope, name)?.name ?? name) : name;
}
