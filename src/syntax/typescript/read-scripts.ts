/** A file of TypeScript and the files it imports from beside it. What several of them call alike is told apart. */

import type { Parser } from 'web-tree-sitter';
import { createSourceText, type SourceText } from '../../base/source-text.ts';
import type { Module } from '../../program/program.ts';
import { parseTree, type SyntaxTree } from '../syntax-tree.ts';
import { classesIn } from './lower-classes.ts';
import type { StaticKind } from './lower-expressions.ts';
import { defaultExport, linksOf, type ModuleLinks } from './module-links.ts';
import { type Namespaces, namespacesIn } from './module-names.ts';
import { withNonNullInPlace } from './non-null.ts';
import { lowerScript } from './parse.ts';

/** A file as it was parsed, which holds for the same text, and as it was lowered, which holds for the same names. */
export interface ParsedScript {
  readonly text: string;
  readonly root: SyntaxTree;
  readonly links: ModuleLinks;
  lowered: { readonly names: string; readonly module: Module } | null;
}

interface Script {
  readonly file: string;
  readonly parsed: ParsedScript;
  /** The files that it names, as far as they are there. */
  readonly targets: Map<string, Script>;
  /** What its own names are called in the program. */
  readonly own: Map<string, string>;
}

/** Where a file's parse is kept for the next reading. */
export interface KeptScripts {
  get(file: string): ParsedScript | undefined;
  set(file: string, parsed: ParsedScript): void;
}

/** Reads a file by the path that an import says; undefined when there is none. */
export type ReadScript = (name: string, from: string) => { readonly file: string; readonly text: string } | undefined;

/** Files beyond this are not followed. */
const maximumFiles = 64;

/** The modules, the file itself first, the others in the order in which they are run. */
export function readScripts(
  parser: Parser,
  file: string,
  text: string,
  readScript: ReadScript | undefined,
  kept: KeptScripts,
  sources: Map<string, SourceText>,
): Module[] {
  const known = new Map<string, Script>();
  const inOrder: Script[] = [];
  const visit = (name: string, content: string): Script => {
    const last = kept.get(name);
    const parsed = last?.text === content ? last : parseScript(parser, content);
    kept.set(name, parsed);
    sources.set(name, createSourceText(name, content));
    const script: Script = { file: name, parsed, targets: new Map(), own: new Map() };
    known.set(name, script);
    for (const { source } of [...parsed.links.imports, ...parsed.links.passedOn]) {
      const found = readScript && known.size < maximumFiles ? scriptNamed(source, name, readScript) : undefined;
      const target = found && (known.get(found.file) ?? visit(found.file, found.text));
      if (target) script.targets.set(source, target);
    }
    inOrder.push(script);
    return script;
  };
  const primary = visit(file, text);
  nameAll(primary, inOrder);
  const namespaces: Namespaces = new Map();
  const classes = new Map<string, ReadonlyMap<string, StaticKind>>();
  const names = inOrder.map((script) => namesOf(script, namespaces));
  const inNamespaces = inOrder.map(({ parsed: { text: own, root } }, index) =>
    namespacesIn(own, root, (name) => names[index]!.get(name) ?? name, namespaces),
  );
  for (const [index, { parsed }] of inOrder.entries())
    for (const [name, statics] of classesIn(parsed.text, parsed.root))
      classes.set(names[index]!.get(name) ?? name, statics);
  const shared =
    inOrder.length > 1
      ? JSON.stringify([
          [...namespaces].map(([name, members]) => [name, ...members]),
          [...classes].map(([name, statics]) => [name, ...statics]),
        ])
      : '';
  const modules = inOrder.map(({ file: name, parsed }, index) => {
    const key = `${name} ${shared} ${JSON.stringify([...names[index]!])}`;
    if (inOrder.length > 1 && parsed.lowered?.names === key) return parsed.lowered.module;
    const given = { names: names[index]!, namespaces, inNamespaces: inNamespaces[index]!, classes };
    const module = lowerScript(name, parsed.text, parsed.root, given);
    parsed.lowered = { names: key, module };
    return module;
  });
  return [modules.at(-1)!, ...modules.slice(0, -1)];
}

function parseScript(parser: Parser, text: string): ParsedScript {
  const parsed = parseTree(parser, text);
  const root = text.includes('!') ? withNonNullInPlace(parsed) : parsed;
  return { text, root, links: linksOf(text, root), lowered: null };
}

/** `./x`, `./x.js` and `./x/index`: the file that is meant, beside the one that says so. */
function scriptNamed(source: string, from: string, readScript: ReadScript): ReturnType<ReadScript> {
  if (!/^\.{1,2}(?:\/|$)/.test(source)) return undefined;
  const plain = source.replace(/\/$/, '');
  const written = /\.[mc]?[jt]s$/.test(plain);
  const names = written ? [plain.replace(/js$/, 'ts')] : [`${plain}.ts`, `${plain}/index.ts`, `${plain}.mts`];
  for (const name of names) {
    const found = readScript(name, from);
    // What lies elsewhere under that name is another file.
    if (found && slashed(found.file) === beside(slashed(from), name)) return found;
  }
  return undefined;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/');
}

function beside(from: string, name: string): string {
  const folders = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..' && folders.length > 0 && folders.at(-1) !== '..') folders.pop();
    else if (part !== '.') folders.push(part);
  }
  return folders.filter((part) => part !== '.').join('/');
}

/** Gives every top-level name one that no other file has; those of the primary file stay as they are. */
function nameAll(primary: Script, scripts: readonly Script[]): void {
  const taken = new Set<string>();
  for (const script of [primary, ...scripts.filter((each) => each !== primary)]) {
    const file = script.file.slice(slashed(script.file).lastIndexOf('/') + 1);
    for (const name of script.parsed.links.declared) {
      let own = name;
      for (let number = 1; taken.has(own) && !script.own.has(name); number++)
        own = number === 1 ? `${name} (${file})` : `${name} (${file} ${number})`;
      if (!script.own.has(name)) script.own.set(name, own);
      taken.add(own);
    }
  }
}

/** What the names of a file stand for, where that is not themselves: its own, and those it imports. */
function namesOf(script: Script, namespaces: Namespaces): ReadonlyMap<string, string> {
  const names = new Map([...script.own].filter(([name, own]) => name !== own));
  for (const { source, names: imported } of script.parsed.links.imports) {
    const target = script.targets.get(source);
    if (!target) continue;
    for (const each of imported) {
      if (each.imported === null) namespaces.set(wholeName(names, each.local, target), exportsOf(target, namespaces));
      else {
        const found = exportsOf(target, namespaces).get(each.imported);
        if (found !== undefined && found !== each.local) names.set(each.local, found);
      }
    }
  }
  return names;
}

/** A module that is imported whole is a namespace of the program, of its own name. */
function wholeName(names: Map<string, string>, local: string, target: Script): string {
  const name = `* ${target.file}`;
  names.set(local, name);
  return name;
}

/** What others see of a file, by the names it has in the program. */
function exportsOf(script: Script, namespaces: Namespaces, under: readonly Script[] = []): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  if (under.includes(script)) return out;
  const around = [...under, script];
  for (const { source, exported, imported } of script.parsed.links.passedOn) {
    const target = script.targets.get(source);
    if (!target) continue;
    const inner = exportsOf(target, namespaces, around);
    if (imported !== null) {
      const found = inner.get(imported);
      if (found !== undefined && exported !== null) out.set(exported, found);
    } else if (exported !== null) {
      const whole = `* ${target.file}`;
      namespaces.set(whole, inner);
      out.set(exported, whole);
    } else for (const [name, own] of inner) if (name !== defaultExport) out.set(name, own);
  }
  const imports = script.parsed.links.imports;
  for (const [exported, local] of script.parsed.links.exports) {
    const own = script.own.get(local);
    const from =
      own === undefined ? imports.find(({ names }) => names.some((each) => each.local === local)) : undefined;
    const target = from && script.targets.get(from.source);
    const imported = from?.names.find((each) => each.local === local)?.imported;
    const found = target && imported ? exportsOf(target, namespaces, around).get(imported) : own;
    if (found !== undefined) out.set(exported, found);
  }
  return out;
}
