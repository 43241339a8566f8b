/** Classes that derive from what they are given: `template <class Next> struct Logging : Next`. Each pair has a class of its own. */

import type { ClassDefinition, Expression, FunctionDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, type Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { templatesOf, withTemplates } from './class-templates.ts';
import { instanceApart, isTwin } from './instances-apart.ts';
import { expandedTypes } from './packs.ts';
import { classOf } from './specialisations.ts';
import { isType } from './type-arguments.ts';
import { transformed } from './type-transformations.ts';
import { substitute } from './types.ts';
import { workingOut } from './under-way.ts';

/** Whether a parameter of the class template stands among its bases. */
export function isMixin({ bases, templateParameters }: ClassDefinition): boolean {
  return (
    bases.length > 0 &&
    templateParameters.length > 0 &&
    bases.some((base) => parameterAt(base, templateParameters) >= 0)
  );
}

function parameterAt(base: string, parameters: readonly string[]): number {
  const name = base.replace('...', '');
  return parameters.findIndex((each) => each.replace('...', '') === name);
}

/** The class for the arguments of the type: the parameters among its bases are the classes that are given. */
export function mixedIn(world: World, scope: Scope, definition: ClassDefinition, type: TypeReference): ClassDefinition {
  const { templateParameters: parameters } = definition;
  const given = expandedTypes(scope, type.arguments.length > 0 ? type.arguments : defaultsOf(definition));
  const names = new Map<string, readonly string[]>();
  const madeFor = new Map<string, TypeReference>();
  for (const [index, parameter] of parameters.entries()) {
    const isPack = parameter.endsWith('...');
    const meant = isPack ? given.slice(index) : given.slice(index, index + 1);
    const [only] = meant;
    if (!isPack && only && isType(only)) madeFor.set(parameter, substitute(only, scope));
    names.set(
      parameter.replace('...', ''),
      meant.map((each) => classNamed(world, scope, each)),
    );
  }
  const bases = definition.bases.flatMap((base) => names.get(base.replace('...', '')) ?? [base]);
  if (bases.includes('')) return definition;
  const name = `${definition.name}<${[...names.values()].flat().join(',')}>`;
  const known = world.program.classes.get(name);
  if (known?.span === definition.span) return known;
  const { baseTypes: _, ...own } = definition;
  const mixed: ClassDefinition = { ...own, name, bases, madeFor, methods: methodsFor(world, definition, name, names) };
  world.program.define(mixed);
  return mixed;
}

/**
 * A plain class that stands on a mixin, `class Session : public Counted<Marked<Stream>>`, with the class that each such base means in
 * the base's place; the same class where it has none.
 */
export function onMixins(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): ClassDefinition {
  const { baseTypes, templateParameters, methods } = definition;
  const hasTwins = baseTypes !== undefined && baseTypes.length > 1 && baseTypes.some((base) => isTwin(base, baseTypes));
  if (!hasTwins && !baseTypes?.some((base) => mixinNamed(world, base))) return definition;
  if (templateParameters.length > 0) return instanceOnMixins(world, scope, definition, type, baseTypes);
  const stated = baseTypes.map((base) => statedBase(world, scope, base, baseTypes));
  if (stated.every(({ name }, index) => name === baseTypes[index]!.name)) return definition;
  const names = new Set(methods.map(({ name }) => name));
  const whole: ClassDefinition = {
    ...definition,
    bases: stated.map(({ name }) => name),
    baseTypes: stated,
    methods: [...names].flatMap((name) => world.program.functions.get(name) ?? []),
  };
  world.program.define(whole);
  return whole;
}

/** The class that a base means: a mixin on what it is given, an instance that is told from another beside it; else as it is. */
function statedBase(world: World, scope: Scope, base: TypeReference, bases: readonly TypeReference[]): TypeReference {
  const known = mixinNamed(world, base);
  if (known) return typeNamed(mixedIn(world, scope, known, base).name);
  return isTwin(base, bases) ? instanceApart(world, scope, base) : base;
}

function mixinNamed({ program }: World, base: TypeReference): ClassDefinition | null {
  const known = base.arguments.length > 0 ? findClass(program, base.name) : undefined;
  return known && isMixin(known) ? known : null;
}

/** The same of a class template, `template <class E> class Builder : public Launching<Builder<E>, Base>`: for what it is given. */
function instanceOnMixins(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
  bases: readonly TypeReference[],
): ClassDefinition {
  if (type.arguments.length === 0) return definition;
  const given = templatesOf(world, scope, definition, type);
  const inner = given ? withTemplates(createScope(scope), given) : scope;
  const stated = bases.map((base) => statedBase(world, inner, base, bases));
  const name = `${definition.name}<${stated.map((base) => base.name).join(',')}>`;
  const known = world.program.classes.get(name);
  if (known?.span === definition.span) return known;
  const methods = methodsFor(world, definition, name, new Map());
  const whole = { ...definition, name, bases: stated.map((base) => base.name), baseTypes: stated, methods };
  world.program.define(whole);
  return whole;
}

function defaultsOf({ templateDefaults }: ClassDefinition): readonly (TypeReference | Expression)[] {
  return (templateDefaults ?? []).flatMap((each) => each ?? []);
}

/** The name of the class that an argument means; '' for one that is none. */
function classNamed(world: World, scope: Scope, argument: TypeReference | Expression): string {
  if (!isType(argument) || argument.pointers > 0) return '';
  const type = transformed(world, scope, resolveType(world.program, substitute(argument, scope)));
  // `using Region = Unique<Region>`, in two namespaces that are not told apart: a class that would stand on itself.
  return workingOut(world, '', () => classOf(world, scope, type)?.name ?? '');
}

/** All methods, those that are defined outside of the class, too, as methods of the class of that name. */
export function methodsFor(
  world: World,
  definition: ClassDefinition,
  name: string,
  names: ReadonlyMap<string, readonly string[]>,
): readonly FunctionDefinition[] {
  const before = `${definition.name}::`;
  const own = definition.methods.filter((each) => !each.name.startsWith(before));
  const methods: FunctionDefinition[] = [];
  for (const [key, definitions] of world.program.functions)
    if (key.startsWith(before))
      for (const each of definitions)
        methods.push({
          ...each,
          name: `${name}::${ownName(lastPart(key), definition.name, name)}`,
          className: name,
          memberInitializers: each.memberInitializers.map((initial) => ({
            ...initial,
            name: names.get(initial.name)?.[0] ?? initial.name,
          })),
        });
  return [...own, ...methods];
}

/** Constructors and the destructor are called after the class. */
function ownName(method: string, before: string, after: string): string {
  return method === before ? after : method === `~${before}` ? `~${after}` : method;
}
