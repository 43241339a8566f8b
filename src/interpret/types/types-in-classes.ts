/** Types that a class names: `Traits<T>::type`, `Policy::Buffer`, `std::vector<int>::value_type`, `decltype(v)::value_type`. */

import { instantiatedAlias } from '../../program/alias-templates.ts';
import type { ClassDefinition, TypeReference } from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { findName } from '../expressions/names.ts';
import { keptByRun } from '../kept-by-run.ts';
import { aliased, findClass, lastPart, resolveType } from '../program-table.ts';
import { createScope, isThunk, type Scope } from '../scope.ts';
import type { World } from '../world.ts';
import { templatesOf, withTemplates } from './class-templates.ts';
import { nestedIn } from './nested-classes.ts';
import { concreteType } from './packs.ts';
import { classOf } from './specialisations.ts';
import { isType } from './type-arguments.ts';
import { transformed, typeMadeBy } from './type-transformations.ts';
import { containerOf, substitute } from './types.ts';
import { typeOfWritten } from './written-types.ts';

/** `Traits<T>::type`, and `P::type` where `P` is a parameter, as what that class calls so; any other type as it is written. */
export function meantType(world: World, scope: Scope, type: TypeReference): TypeReference {
  if (type.of) return typeOfWritten(world, scope, type) ?? type;
  const given = ofName(world, scope, type);
  const alias = given === type ? world.program.aliases.get(type.name) : undefined;
  const put = (alias ? namedByClass(world, type) : null) ?? substitute(given, scope);
  const whole = alias && put === type ? resolveType(world.program, type) : put;
  const made = transformed(world, scope, whole);
  if (made !== whole) return made;
  if (!put.qualifier && !put.name.includes('::')) return type;
  const written = ofName(world, scope, put);
  const found = written.qualifier || isInherited(world, written) ? typeInClass(world, scope, written) : null;
  if (!found) return written;
  return {
    ...found,
    pointers: found.pointers + written.pointers,
    isReference: found.isReference || written.isReference,
    isConst: found.isConst || written.isConst,
    extents: [...written.extents, ...found.extents],
  };
}

/** `Stage::inputs`, which the class has from a base. */
function isInherited({ program }: World, { name }: TypeReference): boolean {
  const plain = lastPart(name);
  const owner = name.startsWith('std::') ? undefined : findClass(program, name.slice(0, -plain.length - 2));
  return owner !== undefined && owner.bases.length > 0 && !owner.aliases?.some(([own]) => own === plain);
}

/** `using Graph = Owned<cudaGraph_t>`, where that is a name for `Owner<cudaGraph_t>::type`: as this; null for all other names. */
export function namedByClass(world: World, type: TypeReference): TypeReference | null {
  let current: TypeReference | null = type;
  for (let step = 0; current && !current.qualifier && step < deepest; step++)
    current = instanceNamed(world, current) ?? aliased(world.program, current);
  return current?.qualifier ? current : null;
}

function instanceNamed(world: World, type: TypeReference): TypeReference | null {
  const meant = ofInstance(world, world.globals, type);
  return meant === type ? null : meant;
}

/** `Gemm::Arguments`, where `Gemm` is another name for an instance of a class template: as that instance's; any other type as it is. */
export function ofInstance({ program }: World, scope: Scope, type: TypeReference): TypeReference {
  const end = type.qualifier ? -1 : type.name.lastIndexOf('::');
  const owner = end > 0 ? type.name.slice(0, end) : '';
  if (end <= 0 || !program.aliases.has(owner) || program.aliases.has(type.name)) return type;
  const instance = resolveType(program, substitute(resolveType(program, typeNamed(owner)), scope));
  if (instance.arguments.length === 0 || instance.pointers > 0 || !findClass(program, instance.name)) return type;
  return { ...type, name: `${instance.name}${type.name.slice(end)}`, qualifier: instance };
}

/** `P::Buffer`, where `P` is a template parameter or another name for a class. */
function ofName(world: World, scope: Scope, type: TypeReference): TypeReference {
  const given = ofParameter(scope, type);
  return given === type ? ofInstance(world, scope, type) : given;
}

/** `P::Buffer` with what the template parameter stands for. */
function ofParameter(scope: Scope, type: TypeReference): TypeReference {
  const end = type.qualifier ? -1 : type.name.indexOf('::');
  if (end <= 0) return type;
  const parameter = typeNamed(type.name.slice(0, end));
  const target = substitute(parameter, scope);
  if (target === parameter || target.pointers > 0) return type;
  // What is only known by the parameter's own name is not known.
  if (target.name.startsWith(`${parameter.name}::`)) return type;
  const name = `${target.name}${type.name.slice(end)}`;
  return target.arguments.length > 0 ? { ...type, name, qualifier: target } : { ...type, name };
}

/** What the class, or the container, calls so; null where it calls nothing so. */
export function typeInClass(world: World, scope: Scope, type: TypeReference): TypeReference | null {
  if (depth >= deepest || givenUp(world).has(nameOf(type))) return null;
  if (depth === 0) asked = 0;
  if (asked++ >= mostAsked) return null;
  depth++;
  try {
    return partOfClass(world, scope, type);
  } finally {
    depth--;
    if (depth === 0 && asked >= mostAsked) giveUp(world, type);
  }
}

/** A type that has no end is not followed again, wherever else in the run it is named. */
function giveUp(world: World, type: TypeReference): void {
  givenUp(world).add(nameOf(type));
}

/** What stands for its parameters is written anew each time: it goes by its name. */
function nameOf({ name, qualifier }: TypeReference): string {
  return qualifier ? `${qualifier.name} ${name}` : name;
}

/** Types that are named by way of others, as in lists of types that are taken apart. */
const deepest = 48;
/** For one type: where each of them asks for several others there is no end to it. */
const mostAsked = 400;
const givenUp = keptByRun(() => new Set<string>());
let depth = 0;
let asked = 0;

function partOfClass(world: World, scope: Scope, type: TypeReference): TypeReference | null {
  const parts = type.qualifier ? partsBehind(type.name, type.qualifier.name) : [lastPart(type.name)];
  let found: TypeReference | null = ownerOf(world, scope, type, lastPart(type.name));
  parts.forEach((part, index) => {
    const given = index === parts.length - 1 ? type.arguments : [];
    found = found && memberType(world, scope, resolveType(world.program, found), part, given, 0);
  });
  return found;
}

/** `type` and `Buffer` in `ns::S::type::Buffer`, behind `S`. */
function partsBehind(name: string, qualifier: string): readonly string[] {
  const at = name.lastIndexOf(`${qualifier}::`);
  return (at < 0 ? lastPart(name) : name.slice(at + qualifier.length + 2)).split('::');
}

function memberType(
  world: World,
  scope: Scope,
  owner: TypeReference,
  plain: string,
  given: TypeReference['arguments'],
  depth: number,
): TypeReference | null {
  if (owner.name === 'std' || depth > 8) return null;
  const [element] = owner.arguments;
  if (plain === 'value_type' && containerOf(owner) && element && isType(element)) return substitute(element, scope);
  const definition = classOf(world, scope, owner);
  if (!definition) return plain === 'type' ? typeMadeBy(world, scope, owner) : null;
  const templates = templatesOf(world, scope, definition, owner);
  const inner = templates ? withTemplates(createScope(scope), templates) : scope;
  const alias = definition.aliases?.find(([name]) => name === plain)?.[1];
  const written = alias?.parameters ? instantiatedAlias(alias, alias.parameters, given) : alias;
  // `using type = Constant;` in the template of that name is the one that is asked.
  if (written && namesItself(definition, written)) return concreteType(world, scope, owner);
  const whole = (): TypeReference => concreteType(world, scope, owner);
  if (written) return nestedIn(world, concreteType(world, inner, meantType(world, inner, written)), owner, whole);
  const nested = world.program.aliases.get(`${definition.name}::${plain}`) ?? typeNamed(plain, given);
  if (findClass(world.program, nested.name)?.enclosing === definition.name)
    return nestedIn(world, nested, owner, whole);
  for (const base of definition.baseTypes ?? definition.bases.map((name) => typeNamed(name))) {
    const inherited = memberType(
      world,
      inner,
      resolveType(world.program, substitute(base, inner)),
      plain,
      given,
      depth + 1,
    );
    if (inherited) return inherited;
  }
  return null;
}

/** Whether a class template is named by itself, without arguments. */
export function namesItself({ name, templateParameters }: ClassDefinition, written: TypeReference): boolean {
  return templateParameters.length > 0 && written.arguments.length === 0 && written.name === name && !written.qualifier;
}

/** What stands in front of the last `::`. */
function ownerOf(world: World, scope: Scope, type: TypeReference, plain: string): TypeReference | null {
  const qualifier = type.name.slice(0, -plain.length - 2);
  const variable = /^decltype\(\s*(\w+)\s*\)$/.exec(qualifier)?.[1];
  const cell = variable ? findName(world, scope, variable) : undefined;
  const named = type.qualifier ?? { ...type, name: qualifier, pointers: 0, extents: [] };
  const written = cell && !isThunk(cell) ? cell.type : named;
  const meant = written && resolveType(world.program, substitute(written, scope));
  // `List<A, B>::tail::head`
  return meant?.name.includes('::') && !findClass(world.program, meant.name)
    ? (typeInClass(world, scope, meant) ?? meant)
    : meant;
}
