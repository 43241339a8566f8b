/**
 * What a header, or the file itself, only declares is defined in another source file of the project: `ops.cu` beside `ops.h`, or any
 * of those that are compiled with it. A program, a file with a `main` or with tests, is read together with them. Names that only one
 * of the files sees are told apart there (`program/own-names.ts`); a file that defines what another one has defined belongs to
 * another program and is left out.
 */

import { Attached } from '../base/attached.ts';
import { testMacros } from '../base/test-macros.ts';
import type { OwnNames } from '../program/module.ts';
import { isOwnNameOf } from '../program/own-names.ts';
import type { FunctionDefinition, MacroDefinition, Module, TypeReference } from '../program/program.ts';
import { isSameType } from '../program/same-type.ts';

/** Whether a file holds the beginning of a program, or tests. */
export function isProgram({ functions, items }: Module): boolean {
  return (
    functions.some(({ name, body }) => name === 'main' && body !== null) ||
    items?.some(({ layout }) => layout.text.charCodeAt(0) < 97 && testBegins.test(layout.text)) === true
  );
}

const testBegins = new RegExp(`^(?:${testMacros.join('|')})\\s*\\(`);

/** What is declared, and defined in none of the files read. */
interface Open {
  /** `f`; of a constructor or destructor the name of its class. */
  readonly name: string;
  /** The same behind the class that it belongs to, as a definition has it. */
  readonly key: string;
}

/** Of these files, those that declare what none of them defines. */
export function leavingOpen(modules: readonly Module[]): ReadonlySet<Module> {
  const defined = definedIn(modules);
  return new Set(modules.filter((each) => openIn([each], defined).length > 0));
}

/** What the program's files declare and nowhere define, and what seems to be `defined` elsewhere; only what they name. */
export function leftOpen(modules: readonly Module[], defined: (key: string) => boolean): readonly string[] {
  const open = openIn(modules, definedIn(modules)).filter(({ key }) => defined(key));
  if (open.length === 0) return [];
  const counts = new Map(open.map(({ name }) => [name, 0]));
  for (const { items } of modules)
    for (const item of items ?? []) {
      const words = item.mentions();
      for (const [name, count] of counts) if (words.has(name)) counts.set(name, count + 1);
    }
  // Once where it is declared, and where it is meant.
  return open.flatMap(({ name, key }) => ((counts.get(name) ?? 0) > 1 ? [key] : []));
}

/** Names of what has its body, or its storage, in these files. */
function definedIn(modules: readonly Module[]): ReadonlySet<string> {
  const defined = new Set<string>();
  for (const { functions, classes, globals } of modules) {
    for (const { name, body } of functions) if (body) defined.add(name);
    for (const { methods } of classes) for (const { name, body } of methods) if (body) defined.add(name);
    for (const { name, isElsewhere } of globals) if (!isElsewhere) defined.add(name);
  }
  return defined;
}

function openIn(among: readonly Module[], defined: ReadonlySet<string>): readonly Open[] {
  const open = new Map<string, Open>();
  const see = ({ name, className, body, isDefaulted }: FunctionDefinition): void => {
    if (body === null && !isDefaulted && !defined.has(name)) open.set(name, openAs(name, className));
  };
  for (const { functions, classes, globals } of among) {
    for (const each of functions) see(each);
    for (const { methods } of classes) for (const each of methods) see(each);
    for (const { name, isElsewhere } of globals)
      if (isElsewhere && !defined.has(name)) open.set(name, openAs(name, null));
  }
  return [...open.values()];
}

function openAs(written: string, className: string | null): Open {
  const name = plainName(written);
  return { name, key: className === null ? name : `${plainName(className)}::${name}` };
}

/** `f` of `a::f`, and `C` of `C::~C`. */
function plainName(name: string): string {
  return /\w+$/.exec(name)?.[0] ?? name;
}

/** Of several sets of definitions the first that has one of `open` for itself alone: what two of them define is not known. */
export function definingAlone(
  definitions: readonly ReadonlySet<string>[],
  open: readonly string[],
): ReadonlySet<string> | undefined {
  for (const key of open) {
    const defining = definitions.filter((each) => each.has(key));
    if (defining.length === 1) return defining[0];
  }
  return undefined;
}

/** A name, perhaps behind its class, and what tells a definition from most uses: arguments, or the beginning of a value. */
const definitionPattern =
  /(?<!(?:\.|->|~)\s*)(?:\b(\w+)\s*(?:<[^<>;{}()]*>\s*)?::\s*~?\s*)?\b([A-Za-z_]\w*)\s*(?:<[^<>;{}()]*>\s*)?(\(|[;={[])/g;

/**
 * What a text seems to define, told by its signs alone: `f` and `C::f`; nothing for the text of a program. It only chooses the files
 * that are read: what it says too much is found out then.
 */
export function seemsToDefine(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  if (/\bmain\s*\(/.test(text)) return names;
  for (const { 0: use, 1: owner, 2: name = '', 3: sign, index } of text.matchAll(definitionPattern)) {
    if (sign === '(') {
      const from = index + use.length;
      const behind = closingParenthesis(text, from);
      if (!/^\s*(?:const\b|noexcept\b|override\b|->|\{|:(?!:))/.test(text.slice(behind, behind + 200))) continue;
    }
    names.add(name);
    if (owner !== undefined) names.add(`${owner}::${name}`);
  }
  return names;
}

/** What is given to a function takes no more characters; behind that nothing is looked for. */
const longestParameters = 2_000;

/** Behind the parenthesis that closes what is open at `from`; the end where there is none near. */
function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  const end = Math.min(text.length, from + longestParameters);
  for (let index = from; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 40) depth++;
    else if (code === 41 && --depth === 0) return index + 1;
  }
  return text.length;
}

/** The macros of a source file that mean something else in another one: they are read where they are used. */
export function clashingMacros(companion: Module, modules: readonly Module[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const macro of ownMacros(companion))
    if (modules.some(({ macros }) => isOther(macros.get(macro.name), macro))) names.add(macro.name);
  return names;
}

function ownMacros({ macros, file }: Module): readonly MacroDefinition[] {
  return [...macros.values()].filter(({ span }) => span.file === file);
}

function isOther(first: MacroDefinition | undefined, second: MacroDefinition): boolean {
  return first !== undefined && (first.body !== second.body || first.parameters?.join() !== second.parameters?.join());
}

/**
 * A source file as part of the program of these files, with its own names told from theirs; null where it belongs to another program.
 * `primary` and the files that were joined before count as `modules`, their headers, too.
 */
export function joined(companion: Module, modules: readonly Module[]): Module | null {
  if (companion.functions.some(({ name, body }) => name === 'main' && body !== null)) return null;
  const declared = new Set(
    modules.flatMap((each) => [
      ...each.functions.flatMap(({ name, body, isStatic }) => (body || isStatic ? [] : [name])),
      ...each.globals.flatMap(({ name, isElsewhere }) => (isElsewhere ? [name] : [])),
    ]),
  );
  const isOwn = isOwnNameOf(companion, declared);
  const functions = new Map<string, Definition[]>();
  for (const module of modules)
    for (const definition of module.functions) {
      if (!definition.body) continue;
      const key = fullName(definition);
      functions.set(key, [...(functions.get(key) ?? []), { module, definition }]);
    }
  const globals = new Set(
    modules.flatMap((each) =>
      each.globals.flatMap(({ isElsewhere, isStatic, name }) => (isElsewhere || isStatic ? [] : [name])),
    ),
  );
  const classes = new Set(modules.flatMap((each) => each.classes.map(({ name }) => name)));
  const macros = new Set(modules.flatMap((each) => ownMacros(each).map(({ name }) => name)));
  const again = new Set<object>();
  for (const definition of companion.functions) {
    if (macros.has(definition.name)) return null;
    if (!definition.body) continue;
    const same = (functions.get(fullName(definition)) ?? []).filter((each) =>
      takesTheSame(each.definition, definition),
    );
    if (same.length === 0) continue;
    if (same.some((each) => textOf(each.module, each.definition) === textOf(companion, definition)))
      again.add(definition);
    else if (!isOwn(definition)) return null;
  }
  for (const global of companion.globals)
    if (!global.isElsewhere && globals.has(global.name) && !isOwn(global)) return null;
  const clashes =
    companion.functions.some((each) => !again.has(each) && each.body !== null && functions.has(fullName(each))) ||
    companion.classes.some(({ name }) => classes.has(name)) ||
    [...companion.aliases].some(([name, type]) => modules.some((each) => meansOther(each.aliases.get(name), type))) ||
    companion.globals.some(({ name }) =>
      modules.some((each) => each.globals.some((other) => other.name === name && !other.isElsewhere)),
    );
  if (!clashes && again.size === 0) return companion;
  const left = companion.functions.filter((each) => !again.has(each));
  const own = clashes ? { space: spaceOf(companion.file, modules), declared } : undefined;
  const before = joinedBefore.get(companion);
  if (before && sameAll(before.functions, left) && sameOwn(before.own, own)) return before;
  const part: Module = {
    ...companion,
    functions: left,
    ...(own ? { own } : {}),
    get unread() {
      return companion.unread;
    },
  };
  joinedBefore.set(companion, part);
  return part;
}

/** A part stays the same object from one text of the program to the next: what hangs on it need not be worked out again. */
const joinedBefore = new Attached<Module, Module>();

function sameAll<T>(first: readonly T[], second: readonly T[]): boolean {
  return first.length === second.length && first.every((each, index) => each === second[index]);
}

function sameOwn(first: OwnNames | undefined, second: OwnNames | undefined): boolean {
  if (!first || !second) return first === second;
  return first.space === second.space && sameAll([...first.declared], [...second.declared]);
}

/** `pool_cu` for `src/pool.cu`; what none of the others has. */
function spaceOf(file: string, modules: readonly Module[]): string {
  const name = file.replace(/^.*[/\\]/, '').replace(/\W/g, '_');
  const same = modules.filter(({ own }) => own?.space.startsWith(name)).length;
  return same === 0 ? name : `${name}_${same + 1}`;
}

function meansOther(first: TypeReference | undefined, second: TypeReference): boolean {
  return first !== undefined && !isSameType(first, second);
}

interface Definition {
  readonly module: Module;
  readonly definition: FunctionDefinition;
}

function fullName({ namespace, name }: FunctionDefinition): string {
  return namespace ? `${namespace}::${name}` : name;
}

function takesTheSame(first: FunctionDefinition, second: FunctionDefinition): boolean {
  return (
    first.parameters.length === second.parameters.length &&
    first.parameters.every(({ type }, index) => {
      const other = second.parameters[index]!.type;
      return type.name === other.name && type.pointers === other.pointers;
    })
  );
}

function textOf({ activeText }: Module, { span }: FunctionDefinition): string {
  return activeText.slice(span.start, span.end).replace(/\s+/g, ' ');
}
