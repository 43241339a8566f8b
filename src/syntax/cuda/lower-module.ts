/** A file's top level: functions, classes, globals, aliases, through namespaces, templates and `extern "C"`. */

import type { Parser } from 'web-tree-sitter';
import type { Span } from '../../base/span.ts';
import type {
  ClassDefinition,
  Declaration,
  FunctionDefinition,
  MacroBody,
  Module,
  TypeReference,
} from '../../program/program.ts';
import {
  childByField,
  forEachItem,
  namedChildren,
  type ParsedText,
  parseTree,
  type SyntaxNode,
} from '../syntax-tree.ts';
import { expandMacroText, splitArguments } from './expand-macro.ts';
import { type LowerContext, noteUnread, spanOf, textOf } from './lower-context.ts';
import { lowerExpression } from './lower-expressions.ts';
import { lowerClass, lowerFunction, templateParametersOf } from './lower-functions.ts';
import { lowerAlias, lowerBody, lowerDeclaration, lowerEnumerators } from './lower-statements.ts';
import { qualifiedName, unknownType } from './lower-types.ts';
import type { Preprocessed } from './preprocess.ts';

/** What one top-level item contributes. */
interface Item {
  readonly start: number;
  readonly functions: FunctionDefinition[];
  readonly classes: ClassDefinition[];
  readonly globals: Declaration[];
  readonly aliases: [string, TypeReference][];
  readonly unread: { readonly what: string; readonly span: Span }[];
}

/** What is kept between two analyses of a file: the tree, and each item by its text. */
export interface ModuleCache {
  parsed: ParsedText | null;
  items: ReadonlyMap<string, Item>;
}

export function createModuleCache(): ModuleCache {
  return { parsed: null, items: new Map() };
}

/** Parses and lowers one preprocessed file; items whose text has not changed since `cache` are taken from there. */
export function lowerModule(parser: Parser, file: string, preprocessed: Preprocessed, cache: ModuleCache): Module {
  const items = new Map<string, Item>();
  const all: Item[] = [];
  cache.parsed = forEachItem(parser, preprocessed.text, cache.parsed, (start, end, read) => {
    const text = preprocessed.text.slice(start, end);
    const key = keyOf(text, preprocessed);
    const known = cache.items.get(key);
    const item =
      (known ? movedItem(known, start, text) : null) ??
      lowerItem({ parser, file, preprocessed }, preprocessed.text, start, read());
    items.set(key, item);
    all.push(item);
  });
  cache.items = items;
  const bodies = new Map<string, MacroBody | null>();
  return {
    file,
    functions: all.flatMap((item) => item.functions),
    classes: all.flatMap((item) => item.classes),
    globals: all.flatMap((item) => item.globals),
    statements: [],
    aliases: new Map(all.flatMap((item) => item.aliases)),
    macros: preprocessed.macros,
    includes: preprocessed.includes,
    unread: all.flatMap((item) => item.unread),
    expandMacro: (name) => {
      if (!bodies.has(name)) bodies.set(name, lowerMacro(parser, preprocessed, name));
      return bodies.get(name) ?? null;
    },
  };
}

/** An item whose head is a macro hangs on the macro's text, too. */
function keyOf(text: string, preprocessed: Preprocessed): string {
  const name = /^\s*([A-Za-z_]\w*)\s*\(/.exec(text)?.[1];
  const macro = name === undefined ? undefined : preprocessed.macros.get(name);
  return macro ? `${text}\0${macro.body}` : text;
}

/** An item that stands somewhere else now: the same with every span moved. Null when its names hang on where it stands. */
function movedItem(item: Item, start: number, text: string): Item | null {
  if (item.start === start) return item;
  if (/\b(?:struct|union|class|enum)\s*\{|^\{/.test(text)) return null;
  return { ...moved(item, start - item.start), start };
}

/** A copy with all spans shifted. */
function moved<T>(value: T, by: number): T {
  return withSpans(value, (span) => ({ file: span.file, start: span.start + by, end: span.end + by }));
}

/** A copy with every span replaced. */
function withSpans<T>(value: T, change: (span: Span) => Span): T {
  if (Array.isArray(value)) return value.map((each: unknown) => withSpans(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (isSpan(value)) return change(value) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = withSpans(value[key], change);
  return copy as T;
}

function isSpan(value: object): value is Span {
  return 'file' in value && 'start' in value && 'end' in value;
}

/** The file an item belongs to. */
interface ItemSource {
  readonly parser: Parser;
  readonly file: string;
  readonly preprocessed: Preprocessed;
}

/**
 * `CASE(name) { … }` where a macro makes up the head: the macro's text is read with an empty body, and the last function
 * it defines gets the body that stands there. Everything from the macro stands where it is used.
 */
function macroDefinition(
  source: ItemSource,
  context: LowerContext,
  node: SyntaxNode,
  written: FunctionDefinition,
): Item | null {
  const { macros } = source.preprocessed;
  if (childByField(node, 'type') || !macros.get(written.name)?.parameters) return null;
  const head = /^\s*\w+\s*\(([\s\S]*)\)\s*$/.exec(textOf(context, childByField(node, 'declarator') ?? node));
  const text = head ? expandMacroText(macros, written.name, splitArguments(head[1] ?? '')) : null;
  if (text === null) return null;
  const expanded = `${text}{}`;
  const use = spanOf(context, childByField(node, 'declarator') ?? node);
  const inner = withSpans(lowerItem(source, expanded, 0, parseTree(source.parser, expanded)), () => use);
  const last = inner.functions.at(-1);
  if (last?.body?.length !== 0) return null;
  const definition = { ...last, body: written.body, span: written.span, nameSpan: written.nameSpan };
  return { ...inner, functions: [...inner.functions.slice(0, -1), definition] };
}

function lowerItem(source: ItemSource, text: string, start: number, root: SyntaxNode): Item {
  const limit = source.preprocessed.length;
  const context: LowerContext = { file: source.file, text, shift: 0, limit, unread: [] };
  const functions: FunctionDefinition[] = [];
  const classes: ClassDefinition[] = [];
  const globals: Declaration[] = [];
  const aliases: [string, TypeReference][] = [];

  const visit = (node: SyntaxNode, template: readonly string[]): void => {
    switch (node.type) {
      case 'namespace_definition':
      case 'linkage_specification': {
        const body = childByField(node, 'body');
        for (const child of body ? (body.type === 'declaration_list' ? namedChildren(body) : [body]) : [])
          visit(child, template);
        return;
      }
      case 'declaration_list':
        for (const child of namedChildren(node)) visit(child, template);
        return;
      case 'template_declaration': {
        const inner = namedChildren(node).at(-1);
        if (inner) visit(inner, templateParametersOf(context, node));
        return;
      }
      case 'function_definition': {
        const definition = lowerFunction(context, node, null, template);
        const expanded = definition ? macroDefinition(source, context, node, definition) : null;
        functions.push(...(expanded?.functions ?? (definition ? [definition] : [])));
        classes.push(...(expanded?.classes ?? []));
        globals.push(...(expanded?.globals ?? []));
        return;
      }
      case 'translation_unit':
        for (const child of namedChildren(node)) visit(child, template);
        return;
      case 'struct_specifier':
      case 'class_specifier':
      case 'union_specifier': {
        const definition = lowerClass(context, node, template, classes);
        if (definition) classes.push(definition);
        return;
      }
      case 'enum_specifier':
        for (const statement of lowerEnumerators(context, node))
          if (statement.kind === 'declare') globals.push(...statement.declarations);
        return;
      case 'declaration': {
        const type = childByField(node, 'type');
        if (type?.type.endsWith('_specifier') && type.type !== 'placeholder_type_specifier') visit(type, template);
        globals.push(...lowerDeclaration(context, node));
        return;
      }
      case 'alias_declaration':
      case 'type_definition': {
        const type = childByField(node, 'type');
        if (type?.type.endsWith('_specifier')) visit(type, template);
        const alias = lowerAlias(context, node);
        if (alias)
          aliases.push([
            alias[0],
            type?.type.endsWith('_specifier') ? { ...alias[1], name: qualifiedName(context, type).name } : alias[1],
          ]);
        return;
      }
      case 'compound_statement':
        functions.push(looseBlock(context, node));
        return;
      case 'ERROR':
        noteUnread(context, node, 'syntax the parser does not know');
        for (const child of namedChildren(node)) if (readable.has(child.type)) visit(child, template);
        return;
      case 'expression_statement':
      case 'using_declaration':
      case 'static_assert_declaration':
      case 'empty_statement':
      case ';':
        return;
      default:
        return;
    }
  };
  visit(root, []);
  return { start, functions, classes, globals, aliases, unread: context.unread };
}

/** `TEST_CASE("…") { … }`: a macro that defines a function; its block is one that nobody here calls. */
function looseBlock(context: LowerContext, node: SyntaxNode): FunctionDefinition {
  const span = spanOf(context, node);
  return {
    name: `(block at ${span.start})`,
    className: null,
    parameters: [],
    returnType: unknownType,
    body: lowerBody(context, node),
    memberInitializers: [],
    templateParameters: [],
    isKernel: false,
    isDevice: false,
    isVirtual: false,
    isStatic: false,
    span,
    nameSpan: { ...span, end: span.start + 1 },
  };
}

const readable = new Set([
  'compound_statement',
  'function_definition',
  'struct_specifier',
  'class_specifier',
  'declaration',
  'namespace_definition',
  'template_declaration',
  'enum_specifier',
]);

/** Parses a macro's body inside a wrapper function; its spans point into the `#define`. */
function lowerMacro(parser: Parser, preprocessed: Preprocessed, name: string): MacroBody | null {
  const macro = preprocessed.macros.get(name);
  if (!macro || macro.body.trim() === '') return macro ? { kind: 'statements', body: [] } : null;
  const body = macro.body
    .replace(/##/g, '  ')
    .replace(/#\s*[A-Za-z_]\w*/g, (match) => `""${' '.repeat(match.length - 2)}`);
  const prefix = 'void m(){';
  const attempt = (text: string): SyntaxNode[] => {
    const root = parseTree(parser, text);
    const definition = namedChildren(root)[0];
    const block = definition ? childByField(definition, 'body') : undefined;
    return block ? namedChildren(block) : [];
  };
  const text = `${prefix}${body};}`;
  const statements = attempt(text);
  const context: LowerContext = {
    file: macro.span.file,
    text,
    shift: macro.bodyStart - prefix.length,
    limit: Number.POSITIVE_INFINITY,
    unread: [],
  };
  const only = statements[0];
  const meaningful = statements.filter(
    (statement) =>
      !(
        statement.type === 'expression_statement' &&
        statement.children.length <= 1 &&
        statement.end - statement.start <= 1
      ),
  );
  if (meaningful.length === 1 && only?.type === 'expression_statement') {
    const expression = namedChildren(only)[0];
    if (expression) return { kind: 'expression', expression: lowerExpression(context, expression) };
  }
  if (meaningful.length === 0) return null;
  return {
    kind: 'statements',
    body: lowerBody(context, {
      type: 'compound_statement',
      named: true,
      field: null,
      start: 0,
      end: text.length,
      missing: false,
      children: meaningful,
    }),
  };
}
