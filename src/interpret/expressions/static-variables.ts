/** Variables that each instance of a template has for itself: static members of class templates, and static locals of its functions. */

import { Attached } from '../../base/attached.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  TypeReference,
} from '../../program/program.ts';
import { typeNamed } from '../../program/type-named.ts';
import { keptByRun } from '../kept-by-run.ts';
import { findClass, lastPart, type ProgramTable, resolveType } from '../program-table.ts';
import { createScope, isThunk, type Scope } from '../scope.ts';
import { declareOfInstance } from '../statements/declare.ts';
import { workedOut } from '../types/class-constants.ts';
import { templatesOf, withTemplates } from '../types/class-templates.ts';
import { classOf } from '../types/specialisations.ts';
import { isType } from '../types/type-arguments.ts';
import { substitute } from '../types/types.ts';
import { type Cell, createRecord, type RecordObject, type TemplateBindings, type Value } from '../value.ts';
import type { World } from '../world.ts';
import { evaluate } from './evaluate.ts';

/** By what the parameters of one object's class stand for; null for names that are no such variables. */
const found = new WeakMap<TemplateBindings, Known>();

type Known = Map<string, Cell | null>;

/** The static member that an object's class has for its template arguments; null for all others. */
export function memberOfInstance(world: World, { className, templates }: RecordObject, name: string): Cell | null {
  const known = templates ? knownOf(templates) : plainKnown(world, className);
  if (!known) return null;
  const before = known.get(name);
  if (before !== undefined) return before;
  // One whose first value needs itself has none.
  known.set(name, null);
  const cell = memberFor(world, className, templates ?? noTemplates, name, 0);
  known.set(name, cell);
  return cell;
}

/** By class, of classes that are no templates. */
const plain = keptByRun(() => new Map<string, Known>());

/** Null for a class that derives from no template. */
function plainKnown(world: World, className: string): Known | null {
  const classes = plain(world);
  const before = classes.get(className);
  if (before || !findClass(world.program, className)?.baseTypes) return before ?? null;
  const known: Known = new Map();
  classes.set(className, known);
  return known;
}

/** Bases that are followed. */
const deepest = 64;

function memberFor(
  world: World,
  className: string,
  templates: TemplateBindings,
  name: string,
  depth: number,
): Cell | null {
  const definition = findClass(world.program, className);
  if (!definition || depth > deepest) return null;
  const field = definition.fields.find((each) => each.isStatic && each.name === name);
  if (field) return ownMember(world, definition, templates, field);
  for (const { base, given } of basesWith(world, definition, templates)) {
    const inherited = memberFor(world, base.name, given, name, depth + 1);
    if (inherited) return inherited;
  }
  return null;
}

/** The bases of a class, and what their parameters stand for. */
export function basesWith(
  world: World,
  { baseTypes }: ClassDefinition,
  templates: TemplateBindings,
): readonly { base: ClassDefinition; given: TemplateBindings }[] {
  if (!baseTypes) return [];
  const scope = withTemplates(createScope(world.globals), templates);
  return baseTypes.flatMap((written) => {
    const type = resolveType(world.program, substitute(written, scope));
    const base = classOf(world, scope, type);
    return base ? [{ base, given: templatesOf(world, scope, base, type) ?? noTemplates }] : [];
  });
}

/**
 * What a static method of a class template is called for that says for what arguments: `Made::instance()`, of a base of `Made`, stands for
 * that base, and in a class that is defined inside of the template its parameters stand for the same. Null for other functions.
 */
export function baseBehind(
  world: World,
  scope: Scope,
  name: string,
  { className, isStatic }: FunctionDefinition,
): RecordObject | null {
  const end = name.lastIndexOf('::');
  const around = isStatic && className !== null ? enclosingInstance(world, scope, className) : null;
  if (around || !isStatic || className === null || end <= 0) return around;
  const owner = resolveType(world.program, substitute(typeNamed(name.slice(0, end)), scope));
  const definition = findClass(world.program, owner.name);
  return definition?.baseTypes ? baseNamed(world, definition, className, noTemplates, 0) : null;
}

function enclosingInstance({ program }: World, { self }: Scope, className: string): RecordObject | null {
  if (!self?.templates) return null;
  let inner = findClass(program, self.className);
  for (let depth = 0; depth < deepest && inner?.enclosing !== undefined; depth++) {
    if (lastPart(inner.enclosing) === lastPart(className)) return createRecord(className, false, self.templates);
    inner = findClass(program, inner.enclosing);
  }
  return null;
}

function baseNamed(
  world: World,
  definition: ClassDefinition,
  name: string,
  templates: TemplateBindings,
  depth: number,
): RecordObject | null {
  if (definition.name === name) return templates === noTemplates ? null : createRecord(name, false, templates);
  if (depth > deepest) return null;
  for (const { base, given } of basesWith(world, definition, templates)) {
    const found = baseNamed(world, base, name, given, depth + 1);
    if (found) return found;
  }
  return null;
}

const noTemplates: TemplateBindings = { types: new Map(), values: new Map() };

function ownMember(
  world: World,
  definition: ClassDefinition,
  templates: TemplateBindings,
  field: Declaration,
): Cell | null {
  if (definition.templateParameters.length === 0) return null;
  const own = withTemplates(createScope(world.globals, createRecord(definition.name, false, templates)), templates);
  const list = argumentsText(world, own, definition.templateParameters);
  if (list === null) return null;
  // A template of variables is read as a class with one member of its name.
  const instance = `${definition.name}<${list}>`;
  const name = definition.name === field.name ? instance : `${instance}::${field.name}`;
  const before = world.globals.names?.get(name);
  if (before) return isThunk(before) ? null : before;
  const defined = field.initializer ? null : definitionOf(world.program, `${definition.name}::${field.name}`);
  const declaration = defined === undefined ? field : (defined ?? (field.initializer ? field : null));
  return declaration && workedOut(() => declareOfInstance(world, own, { ...declaration, name, isStatic: false }));
}

const definitions = new Attached<ProgramTable, ReadonlyMap<string, Declaration | null>>();

/** `template <class T> int Pool<T>::count = 0;`; null where there is one for each of several arguments, undefined where there is none. */
function definitionOf(program: ProgramTable, name: string): Declaration | null | undefined {
  let known = definitions.get(program);
  if (!known) {
    const all = new Map<string, Declaration | null>();
    for (const each of program.globals)
      if (each.name.includes('::')) all.set(each.name, all.has(each.name) ? null : each);
    known = all;
    definitions.set(program, known);
  }
  return known.get(name);
}

/** The function templates that run, by the scope of their parameters. */
const instances = new Attached<Scope, FunctionDefinition>();

/** What the template's parameters stand for is in this scope. */
export function noteInstance(scope: Scope, definition: FunctionDefinition): void {
  instances.set(scope, definition);
}

/** Tells the instance of a template whose function declares something from its other instances; the same for what is no template. */
export function instanceText(world: World, scope: Scope): string {
  let out = '';
  for (let current: Scope | null = scope; current; current = current.parent) {
    const definition = instances.get(current);
    if (definition) out += ` <${argumentsText(world, current, definition.templateParameters) ?? ''}>`;
  }
  const { self } = scope;
  if (!self?.templates) return out;
  const parameters = findClass(world.program, self.className)?.templateParameters ?? [...self.templates.types.keys()];
  const own = withTemplates(createScope(world.globals), self.templates);
  return `${out} ${self.className}<${argumentsText(world, own, parameters) ?? ''}>`;
}

function knownOf(templates: TemplateBindings): Known {
  const before = found.get(templates);
  if (before) return before;
  const known: Known = new Map();
  found.set(templates, known);
  return known;
}

/** What template parameters stand for in a scope, as text; null where that is not known of one of them. */
function argumentsText(world: World, scope: Scope, parameters: readonly string[]): string | null {
  const out: string[] = [];
  for (const parameter of parameters) {
    const isPack = parameter.endsWith('...');
    const text = isPack ? packText(world, scope, parameter.slice(0, -3)) : argumentText(world, scope, parameter);
    if (text === null) return null;
    out.push(text);
  }
  return out.join(', ');
}

function argumentText(world: World, scope: Scope, parameter: string): string | null {
  const type = scope.templateTypes?.get(parameter);
  if (type) return typeText(world, scope, type, 0);
  const entry = scope.names?.get(parameter);
  return entry && !isThunk(entry) ? valueText(entry.value) : null;
}

function packText(world: World, scope: Scope, pack: string): string | null {
  const types = scope.typePacks?.get(pack);
  const numbers = scope.names?.get(pack);
  if (numbers && isThunk(numbers) && numbers.isPack) {
    const texts = numbers.expressions.map((each) => valueText(evaluate(world, numbers.scope, each)));
    return texts.includes(null) ? null : texts.join(', ');
  }
  if (!types) return null;
  const texts = types.map((type) => typeText(world, scope, type, 0));
  return texts.includes(null) ? null : texts.join(', ');
}

function valueText(value: Value): string | null {
  if (value.kind === 'number') return String(value.value);
  return value.kind === 'function' ? value.name : null;
}

function typeText(world: World, scope: Scope, written: TypeReference, depth: number): string | null {
  const type = resolveType(world.program, substitute(written, scope));
  if (depth > deepest || type.name === 'auto' || type.name.startsWith('decltype')) return null;
  const texts = type.arguments.map((each) => writtenText(world, scope, each, depth));
  if (texts.includes(null)) return null;
  if (texts.length > 0) texts.push(...defaultsBehind(world, scope, type, depth));
  const list = texts.length > 0 ? `<${texts.join(', ')}>` : '';
  const isReference = type.isReference ? '&' : '';
  return `${type.isConst ? 'const ' : ''}${type.name}${list}${'*'.repeat(type.pointers)}${isReference}`;
}

function writtenText(world: World, scope: Scope, argument: TypeReference | Expression, depth: number): string | null {
  return isType(argument) ? typeText(world, scope, argument, depth + 1) : valueText(evaluate(world, scope, argument));
}

/** What `Buffer<int>` leaves to the defaults of its parameters: it is the class that it is with them written out. */
function defaultsBehind(world: World, scope: Scope, type: TypeReference, depth: number): readonly string[] {
  const definition = findClass(world.program, type.name);
  const left = definition?.templateDefaults ? definition.templateParameters.slice(type.arguments.length) : [];
  if (!definition || left.length === 0) return [];
  const given = templatesOf(world, scope, definition, type);
  return left.flatMap((name) => {
    const [one, value] = [given?.types.get(name), given?.values.get(name)];
    return (one ? typeText(world, scope, one, depth + 1) : value ? valueText(value) : null) ?? [];
  });
}
