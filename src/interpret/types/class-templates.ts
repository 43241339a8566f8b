/** Objects of class templates: what the parameters stand for, in their fields and methods. */

import type { ClassDefinition, Expression, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { evaluate } from '../expressions/evaluate.ts';
import { findName } from '../expressions/names.ts';
import { functionArgument } from '../function-names.ts';
import { findClass, lastPart } from '../program-table.ts';
import { bind, createScope, isThunk, type Scope } from '../scope.ts';
import { createCell, type RecordObject, type TemplateBindings, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { callMeant, constantNamed, valuesOfPack } from './argument-values.ts';
import { templatesAround } from './nested-classes.ts';
import { expandedArguments, expandedTypes } from './packs.ts';
import { matched } from './template-patterns.ts';
import { isType } from './type-arguments.ts';
import { substitute } from './types.ts';
import { meantType } from './types-in-classes.ts';

/** What the parameters of a class template stand for in `Class<int, 4>`; null for a plain class. */
export function templatesOf(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): TemplateBindings | null {
  const { templateDefaults: defaults } = definition;
  const own = ownInstance(scope, definition, type);
  if (own) return own;
  const around = templatesAround(world, scope, type);
  if (definition.templateParameters.length === 0) return around;
  if (type.arguments.length === 0 && !defaults && !mayBeGivenNone(definition)) return null;
  const types = new Map<string, TypeReference>();
  const values = new Map<string, Value>();
  const packs = new Map<string, readonly TypeReference[]>();
  const give = (name: string, argument: TypeReference | Expression, pointers: number, scope: Scope): void => {
    if (!isType(argument)) {
      values.set(name, evaluate(world, scope, argument));
      return;
    }
    // `Pool<N>`: whether `N` is a type or a number only its definition tells.
    const called = callMeant(world, argument);
    if (called) {
      values.set(name, evaluate(world, scope, called));
      return;
    }
    const isName = argument.pointers === 0 && !findClass(world.program, argument.name);
    const value = isName ? findName(world, scope, argument.name) : undefined;
    const named = value ? null : (functionArgument(world, argument) ?? constantNamed(world, scope, argument));
    if (named) {
      values.set(name, named);
      return;
    }
    const substituted = argument.qualifier ? meantType(world, scope, argument) : substitute(argument, scope);
    if (value && !isThunk(value)) values.set(name, value.value);
    // `Model<std::decay_t<F>>` where nobody knows what the caller calls `F`: its own `F` would stand for itself.
    else if (mentionsOpen(scope, substituted, definition.templateParameters)) types.set(name, typeNamed(name));
    else types.set(name, { ...substituted, pointers: Math.max(0, substituted.pointers - pointers) });
  };
  const patterns = definition.specialises;
  const list = expandedArguments(world, scope, type.arguments);
  const match = patterns ? matched(world, scope, patterns, list, definition.templateParameters) : null;
  const givePack = (name: string, given: readonly (TypeReference | Expression)[]): void => {
    packs.set(name, packFrom(scope, given));
    for (const [at, value] of (valuesOfPack(world, scope, given) ?? []).entries())
      if (value) values.set(`${name} #${at}`, value);
  };
  if (patterns) {
    for (const [name, { argument, pointers }] of match?.given ?? []) give(name, argument, pointers, scope);
    for (const [name, given] of match?.packs ?? []) givePack(name, given);
  } else
    for (const [index, name] of definition.templateParameters.entries()) {
      if (name.endsWith('...')) givePack(name.slice(0, -3), list.slice(index));
      const argument = list[index];
      const otherwise = argument ? null : defaults?.[index];
      if (argument) give(name, argument, 0, scope);
      // `template <int W, int H = W>`: those before it are known there.
      else if (otherwise) give(name, otherwise, 0, withTemplates(createScope(scope), { types, values }));
    }
  const aliases = aliasesFor(world, definition, types, values);
  const bindings: TemplateBindings = {
    types,
    values,
    ...(packs.size > 0 ? { packs } : {}),
    ...(aliases ? { aliases } : {}),
    ...(patterns ? {} : { parameters: definition.templateParameters }),
  };
  return around ? withBase(bindings, around) : bindings;
}

/** `template <int... I> struct After`: `After<>` says what its parameters stand for, too. */
export function mayBeGivenNone({ templateParameters, specialises }: ClassDefinition): boolean {
  return !specialises && templateParameters.length > 0 && templateParameters.every((name) => name.endsWith('...'));
}

/** Whether what is given for a parameter still names one, of the caller's, for which nothing stands. */
function mentionsOpen(scope: Scope, { arguments: list }: TypeReference, parameters: readonly string[]): boolean {
  return list.some((each) => {
    if (!isType(each)) return false;
    const isOpen = parameters.includes(each.name) && substitute(each, scope) === each;
    return isOpen || mentionsOpen(scope, each, parameters);
  });
}

/** The other names for types that hang on the parameters. */
function aliasesFor(
  world: World,
  { aliases }: ClassDefinition,
  types: ReadonlyMap<string, TypeReference>,
  values: ReadonlyMap<string, Value>,
): ReadonlyMap<string, TypeReference> | null {
  if (!aliases) return null;
  const numberOf = (each: TypeReference | Expression): Expression | null => numberGiven(world, each, types, values);
  const found = new Map<string, TypeReference>();
  // `using Op = T; using Arguments = typename Op::Arguments;`
  const known = new Map(types);
  for (const [name, type] of aliases) {
    const meant = withArguments(type, known, numberOf);
    if (meant === type || types.has(name)) continue;
    found.set(name, meant);
    known.set(name, meant);
  }
  return found.size > 0 ? found : null;
}

/** `N` and `2 * N` in `using Half = Heap<2 * N>;`: the number that it comes to; null for what is none, or is one as it is written. */
function numberGiven(
  world: World,
  written: TypeReference | Expression,
  types: ReadonlyMap<string, TypeReference>,
  values: ReadonlyMap<string, Value>,
): Expression | null {
  if (values.size === 0 || (!isType(written) && written.kind === 'number')) return null;
  const span = isType(written) ? world.statement : written.span;
  const isName = isType(written) && written.arguments.length === 0 && written.pointers === 0;
  const value = isName
    ? values.get(written.name)
    : isType(written)
      ? undefined
      : evaluate(world, withTemplates(createScope(world.globals), { types, values }), written);
  return value?.kind === 'number' ? { ...value, span } : null;
}

/** A type with what parameters stand for put in; the same object where it names none of them. */
function withArguments(
  type: TypeReference,
  types: ReadonlyMap<string, TypeReference>,
  numberOf: (written: TypeReference | Expression) => Expression | null,
): TypeReference {
  const own = types.get(type.name);
  if (own) return { ...own, pointers: own.pointers + type.pointers, extents: type.extents };
  // `typename P::Buffer`
  const end = type.name.indexOf('::');
  const owner = end > 0 ? types.get(type.name.slice(0, end)) : undefined;
  if (owner && owner.pointers === 0) {
    const qualifier = owner.arguments.length > 0 ? { qualifier: owner } : {};
    return { ...type, ...qualifier, name: `${owner.name}${type.name.slice(end)}` };
  }
  let isOther = false;
  const list = type.arguments.map((each) => {
    const put = numberOf(each) ?? (isType(each) ? withArguments(each, types, numberOf) : each);
    if (put !== each) isOther = true;
    return put;
  });
  return isOther ? { ...type, arguments: list } : type;
}

/** In a method of a base what the base itself calls so: `Base` is another class in each class that names its own base so. */
export function withNamesOf(world: World, scope: Scope, className: string, self: RecordObject): void {
  const { templates } = self;
  if (!templates || className === self.className) return;
  const { aliases = [], madeFor } = findClass(world.program, className) ?? {};
  if (madeFor) for (const [name, type] of madeFor) scope.templateTypes?.set(name, type);
  for (const [name, type] of aliases)
    if (templates.aliases?.has(name)) {
      const { types, values } = templates;
      scope.templateTypes?.set(
        name,
        withArguments(type, types, (each) => numberGiven(world, each, types, values)),
      );
    }
}

/** What a pack of types stands for. */
function packFrom(scope: Scope, given: readonly (TypeReference | Expression)[]): readonly TypeReference[] {
  return expandedTypes(scope, given).flatMap((each) => (isType(each) ? [substitute(each, scope)] : []));
}

/** The bindings, and those of a base, or of the class around, under names that are still free. */
export function withBase(own: TemplateBindings | null, base: TemplateBindings | null): TemplateBindings | null {
  if (!own || !base) return own ?? base;
  return {
    types: new Map([...base.types, ...own.types]),
    values: new Map([...base.values, ...own.values]),
    packs: new Map([...(base.packs ?? []), ...(own.packs ?? [])]),
    aliases: new Map([...(base.aliases ?? []), ...(own.aliases ?? [])]),
    ...(own.parameters ? { parameters: own.parameters } : {}),
  };
}

/** `template <int... N>`: the numbers of a pack, under its name. */
function bindNumbers(scope: Scope, name: string, values: ReadonlyMap<string, Value>): void {
  const names = [...values.keys()].filter((each) => each.startsWith(`${name} #`));
  if (names.length === 0) return;
  const span = { file: '', start: 0, end: 0 };
  const expressions = names.map((each): Expression => ({ kind: 'name', name: each, span }));
  bind(scope, name, { kind: 'thunk', isPack: true, scope, expressions });
}

/** The scope, with what template parameters stand for. */
export function withTemplates(scope: Scope, templates: TemplateBindings): Scope {
  if (templates.types.size > 0) scope.templateTypes = new Map([...(scope.templateTypes ?? []), ...templates.types]);
  if (templates.aliases?.size) scope.templateTypes = new Map([...(scope.templateTypes ?? []), ...templates.aliases]);
  if (templates.packs) scope.typePacks = new Map([...(scope.typePacks ?? []), ...templates.packs]);
  for (const [name, value] of templates.values) bind(scope, name, createCell(name, value));
  for (const name of templates.packs?.keys() ?? []) bindNumbers(scope, name, templates.values);
  return scope;
}

/** A class inside of a class template, made by one of its methods: the parameters stand for the same. */
export function templatesOfEnclosing({ self }: Scope, { enclosing }: ClassDefinition): TemplateBindings | null {
  return enclosing !== undefined && self && lastPart(self.className) === lastPart(enclosing) ? self.templates : null;
}

/** A class template named without arguments by its own methods, `Block tmp;`: the one that the method is of; null elsewhere. */
export function ownInstance(
  { self }: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): TemplateBindings | null {
  if (type.arguments.length > 0 || definition.templateParameters.length === 0) return null;
  return self?.className === definition.name ? self.templates : null;
}

/** What the parameters of the class and of its bases stand for. */
export function templatesWithBases(
  world: World,
  scope: Scope,
  definition: ClassDefinition,
  type: TypeReference,
): TemplateBindings | null {
  let bindings = templatesOf(world, scope, definition, type);
  for (const base of definition.baseTypes ?? []) {
    const parent = findClass(world.program, base.name);
    const inner = bindings ? withTemplates(createScope(scope), bindings) : scope;
    if (parent) bindings = withBase(bindings, templatesOf(world, inner, parent, base));
  }
  return bindings;
}
