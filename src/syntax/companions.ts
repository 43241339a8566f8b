/**
 * What a header, or the file itself, only declares is defined in another source file of the project: `ops.cu` beside `ops.h`, or any
 * of those that are compiled with it. A program, a file with a `main` or with tests, is read together with them. Names that only one
 * of the files sees are told apart there (`program/own-names.ts`); a file that defines what another one has defined belongs to
 * another program and is left out.
 */

import { testMacros } from '../base/test-macros.ts';
import { isOwnNameOf } from '../program/own-names.ts';
import type { FunctionDefinition, MacroDefinition, Module, TypeReference } from '../program/program.ts';
import { isSameType } from '../program/same-type.ts';

/** Whether a file holds the beginning of a program, or tests. */
export function isProgram({ functions, items }: Module): boolean {
  return (
    functions.some(({ name, body }) => name === 'main' && body !== null) ||
    items?.some(({ headMentions, body }) => body !== null && isTest(headMentions())) === true
  );
}

function isTest(words: ReadonlySet<string>): boolean {
  return words.size < 12 && testMacros.some((name) => words.has(name));
}

/** What is declared, and defined in none of the files read. */
interface Open {
  /** `f`; of a constructor or destructor the name of its class. */
  readonly name: string;
  /** Of a method. */
  readonly className: string | null;
}

/** Whether a header declares what no file read so far defines. */
export function leavesOpen(header: Module, modules: readonly Module[]): boolean {
  return openIn([header], modules).length > 0;
}

/** What the program's files name, declare and nowhere define. */
export function leftOpen(modules: readonly Module[]): readonly Open[] {
  const open = openIn(modules, modules);
  if (open.length === 0) return open;
  const counts = new Map(open.map(({ name }) => [name, 0]));
  for (const { items } of modules)
    for (const item of items ?? []) {
      const words = item.mentions();
      for (const [name, count] of counts) if (words.has(name)) counts.set(name, count + 1);
    }
  // Once where it is declared, and where it is meant.
  return open.filter(({ name }) => (counts.get(name) ?? 0) > 1);
}

function openIn(among: readonly Module[], modules: readonly Module[]): readonly Open[] {
  const defined = new Set(
    modules.flatMap(({ functions, classes, globals }) => [
      ...[...functions, ...classes.flatMap(({ methods }) => methods)].flatMap((each) => (each.body ? [each.name] : [])),
      ...globals.flatMap(({ name, isElsewhere }) => (isElsewhere ? [] : [name])),
    ]),
  );
  const open = new Map<string, Open>();
  for (const { functions, classes, globals } of among) {
    for (const { name, className, body, isDefaulted } of [...functions, ...classes.flatMap(({ methods }) => methods)])
      if (body === null && !isDefaulted && !defined.has(name))
        open.set(name, { name: plainName(name), className: className && plainName(className) });
    for (const { name, isElsewhere } of globals)
      if (isElsewhere && !defined.has(name)) open.set(name, { name: plainName(name), className: null });
  }
  return [...open.values()];
}

/** `f` of `a::f`, and `C` of `C::~C`. */
function plainName(name: string): string {
  return /\w+$/.exec(name)?.[0] ?? name;
}

/** Of several texts: those that alone seem to define something of what is open. What two of them define is not known. */
export function definingAlone<T extends { readonly text: string }>(
  files: readonly T[],
  open: readonly Open[],
): readonly T[] {
  const parts = files.filter(({ text }) => !/\bmain\s*\(/.test(text));
  const alone = open.flatMap((each) => {
    const defining = parts.filter(({ text }) => seemsToDefine(text, each));
    return defining.length === 1 ? defining : [];
  });
  return parts.filter((each) => alone.includes(each));
}

/** The name, arguments and a body; or a variable. */
function seemsToDefine(text: string, { name, className }: Open): boolean {
  if (!text.includes(name)) return false;
  const before = className === null ? '(?<!(?:\\.|->|~)\\s*)\\b' : `\\b${className}\\s*(?:<[^<>;{}]*>\\s*)?::\\s*~?`;
  const use = new RegExp(`${before}${name}\\b\\s*(?:<[^<>;{}]*>\\s*)?(\\(|[;={[])`, 'g');
  for (let found = use.exec(text); found; found = use.exec(text)) {
    if (found[1] !== '(') return true;
    const behind = text.slice(closingParenthesis(text, use.lastIndex), use.lastIndex + 2_000);
    if (/^\s*(?:const\b|noexcept\b|override\b|->|\{|:(?!:))/.test(behind)) return true;
  }
  return false;
}

/** Behind the parenthesis that closes what is open at `from`; the end where there is none. */
function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
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
  const isOwn = isOwnNameOf(companion);
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
    companion.globals.some(({ name }) => modules.some((each) => each.globals.some((other) => other.name === name)));
  if (!clashes && again.size === 0) return companion;
  return {
    ...companion,
    functions: companion.functions.filter((each) => !again.has(each)),
    ...(clashes ? { ownSpace: spaceOf(companion.file, modules) } : {}),
    get unread() {
      return companion.unread;
    },
  };
}

/** `pool_cu` for `src/pool.cu`; what none of the others has. */
function spaceOf(file: string, modules: readonly Module[]): string {
  const name = file.replace(/^.*[/\\]/, '').replace(/\W/g, '_');
  const same = modules.filter(({ ownSpace }) => ownSpace?.startsWith(name)).length;
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
