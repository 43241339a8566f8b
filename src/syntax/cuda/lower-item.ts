/** A top-level item: functions, classes, globals, aliases, through namespaces, templates and `extern "C"`. */

import { once } from '../../base/once.ts';
import type { FunctionBody } from '../../program/function-body.ts';
import { noteHalfTyped } from '../../program/half-typed.ts';
import type { ItemLayout } from '../../program/item-layout.ts';
import type {
  ClassDefinition,
  Declaration,
  FunctionDefinition,
  ModuleItem,
  TypeReference,
} from '../../program/program.ts';
import { childByField, namedChildren, parseTree, type SyntaxNode } from '../syntax-tree.ts';
import { benchmarkCalled } from './benchmarks.ts';
import { bodiesInClass, withoutBodies } from './bodies-in-class.ts';
import { plainlyWritten } from './copied-node.ts';
import { expandMacroText, splitArguments } from './expand-macro.ts';
import { expandUses, type PlaceOf } from './expand-uses.ts';
import { type Head, headOfFunction, isClassByMacro, isOneFunction, waysToRead } from './function-heads.ts';
import { looksHalfTyped } from './half-typed.ts';
import type { ItemSource, Unread } from './item-source.ts';
import { bodyInside } from './later-bodies.ts';
import { type LowerContext, noteUnread, spanOf, textOf } from './lower-context.ts';
import {
  enumType,
  lowerAliases,
  lowerDeclaration,
  lowerEnumerators,
  lowerNamespaceAlias,
  lowerUsing,
} from './lower-declarations.ts';
import { lowerClass, lowerDefaulted, lowerFunction } from './lower-functions.ts';
import { looseBlock } from './lower-loose-block.ts';
import { noTemplate, type TemplateHead, templateHeadOf } from './lower-templates.ts';
import { conceptOf, constantSpecialised, isVariableTemplate, variableTemplate } from './lower-variable-templates.ts';
import { moved, withSpans } from './move-spans.ts';
import { readTree } from './parse-statements.ts';
import { preparePiece } from './prepare.ts';
import { wordsOf } from './scan.ts';
import type { ItemRange } from './split-items.ts';
import { inFixture } from './test-fixtures.ts';
import { testInstances } from './test-instances.ts';
import { unlessTooDeep } from './too-deep.ts';

/** What one top-level item contributes. */
export interface Item extends Omit<ModuleItem, 'end' | 'isUnnamed'> {
  readonly functions: FunctionDefinition[];
  readonly classes: ClassDefinition[];
  readonly globals: Declaration[];
  readonly aliases: [string, TypeReference][];
  /** More when bodies have been read. */
  readonly unread: () => readonly Unread[];
  /** Its names hang on where it stands: it cannot be moved. */
  readonly isPlaced: boolean;
  /** As it was read first, when it has moved since. */
  readonly original: Item | null;
  /** The text that stands here is half typed; this is what stood here when it last was whole. */
  readonly isStandIn: boolean;
}

/** An item that stands somewhere else now, or is spaced otherwise: the same with every span moved. Null when its names hang on where it stands. */
export function movedItem(item: Item, start: number, layout: ItemLayout): Item | null {
  if (item.start === start && item.layout.text === layout.text) return item;
  if (item.isPlaced) return null;
  // From where it was read, however often it has moved: what is moved later is moved once.
  const original = item.original ?? item;
  if (original.start === start && original.layout.text === layout.text) return original;
  const { functions, classes, globals, aliases } = original;
  const { isHalfTyped, isStandIn } = item;
  const to = { start, layout };
  return Object.assign({ ...original }, moved({ functions, classes, globals, aliases }, original, to), {
    isHalfTyped,
    isStandIn,
    start,
    layout,
    original,
    unread: () => {
      const unread = original.unread();
      return unread.length === 0 ? unread : moved(unread, original, to);
    },
  });
}

/** A long list of numbers is not read: nothing hangs on them. */
const longestInitializer = 8_000;

/** What an item contributes, apart from what follows from it. */
type Contents = Pick<
  Item,
  'start' | 'functions' | 'classes' | 'globals' | 'aliases' | 'usings' | 'unread' | 'body' | 'isHalfTyped'
>;

let lastId = 0;

/** `headId`: what an item with the same head was given, if there is one. */
export function readItem(source: ItemSource, range: ItemRange, layout: ItemLayout, headId: number | undefined): Item {
  const read = readContents(source, range);
  const contents = {
    ...read,
    functions: read.functions.map((each) =>
      plainlyWritten(range.namespace ? { ...each, namespace: range.namespace } : each),
    ),
  };
  const { functions, classes, globals, aliases } = contents;
  const { text } = layout;
  const mentions = once(() => wordsOf(text));
  const names = [
    ...functions.map((each) => each.name),
    ...classes.flatMap((each) => [each.name, ...each.methods.map((method) => method.name)]),
    ...globals.map((each) => each.name),
    ...aliases.map(([name]) => name),
    ...classes.flatMap((each) => each.aliases?.map(([name]) => name) ?? []),
  ];
  lastId++;
  return {
    id: lastId,
    headId: contents.body ? (headId ?? lastId) : lastId,
    layout,
    names,
    namespace: range.namespace,
    isPlaced: /\b(?:struct|union|class|enum)\s*\{|^\{/.test(text) || names.some((name) => name.startsWith('(')),
    original: null,
    isStandIn: false,
    runsAlways:
      globals.length > 0 ||
      contents.usings.length > 0 ||
      classes.some((each) => each.fields.some((field) => field.isStatic)),
    mentions,
    headMentions: contents.body ? once(() => wordsOf(text.slice(0, range.open - range.start))) : mentions,
    ...contents,
  };
}

/** A function without its body, which is read when it is needed; anything else at once. */
function readContents(source: ItemSource, range: ItemRange): Contents {
  const head =
    range.open > range.start && !isClassByMacro(source.text.slice(range.start, range.open), source.macros)
      ? headOfFunction(source.text.slice(range.start, range.open + 1), source.macros)
      : null;
  for (const each of head === null ? [] : waysToRead(head, source, range.start)) {
    const item = readWithoutBody(source, range, each);
    if (item) return item;
  }
  const bodies = source.isIncluded && head === null ? bodiesInClass(source.text, range) : [];
  const written = withoutBodies(wholeText(source, range, head), range.start, bodies);
  const called = benchmarkCalled(written, source.macros);
  if (called !== null) return madeFromText(source, range, called);
  const expanded = expandUses(written, source, range.start);
  const text = preparePiece(expanded?.text ?? written, source.rules) + '}'.repeat(range.missing);
  const placeOf = expanded?.placeOf ?? null;
  const unread: Unread[] = [];
  const left = new Map(bodies.map((each) => [each.open, bodyInside(source, { ...each, missing: 0 }, unread)]));
  const later = (at: number): FunctionBody | undefined => left.get((placeOf ? placeOf(at, false) : at) + range.start);
  const { start, fixture } = range;
  const piece = { source, text, start, placeOf, later: left.size > 0 ? later : null, unread, fixture };
  const root = readTree(source.parser, text);
  return Object.assign(lowerItem(piece, root), { isHalfTyped: range.missing > 0 || looksHalfTyped(root, text) });
}

/** What a text says that stands for an item, all of it where that stands. */
function madeFromText(source: ItemSource, { start, end }: ItemRange, text: string): Contents {
  const { file } = source;
  const piece = { source, text, start: 0, placeOf: null, later: null, unread: [] };
  const made = withSpans(lowerItem(piece, parseTree(source.parser, text)), () => ({ file, start, end }));
  return { ...made, start };
}

/** An item with its body, as it is parsed: behind the head of a function as that is read, and without a list that is too long. */
function wholeText({ text }: ItemSource, { start, end, open, close, list }: ItemRange, head: string | null): string {
  if (list >= 0 && end - list > longestInitializer && !hasStatements(text.slice(list, end)))
    return `${text.slice(start, list)}{};`;
  if (open > start && head === null && close > open && text[end - 1] === '}') return `${text.slice(start, end)};`;
  return head?.endsWith('{') && close > open
    ? head + text.slice(open + 1, Math.min(close + 1, end))
    : text.slice(start, end);
}

/** The list is, or holds, the body of a lambda. */
function hasStatements(list: string): boolean {
  const first = list.indexOf(';');
  return first >= 0 && first < list.lastIndexOf('}');
}

/** Null when the head is not that of one function. */
function readWithoutBody(source: ItemSource, range: ItemRange, head: Head): Contents | null {
  const text = `${preparePiece(head.text, source.rules)}}`;
  const root = readTree(source.parser, text);
  if (!isOneFunction(root)) return null;
  const unread: Unread[] = [];
  const body = bodyInside(source, range, unread);
  const later = (at: number): FunctionBody | undefined => (at === head.text.length - 1 ? body : undefined);
  if (range.missing > 0) noteHalfTyped(body.identity);
  const { start, fixture } = range;
  const item = lowerItem({ source, text, start, placeOf: head.placeOf, later, unread, fixture }, root);
  if (!item.functions.some((each) => each.body === body)) return null;
  const functions = item.functions.map((each) =>
    each.body === body ? { ...each, span: { ...each.span, end: range.end } } : each,
  );
  return { ...item, functions, body: body.identity };
}

/** The text an item is read from, and where in the file it begins. */
interface Piece {
  readonly source: ItemSource;
  readonly text: string;
  readonly start: number;
  readonly placeOf: PlaceOf | null;
  readonly later: LowerContext['later'];
  readonly unread: Unread[];
  /** Of the suite of tests around it. */
  readonly fixture?: string;
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
): Contents | null {
  const { macros } = source;
  if (childByField(node, 'type') || !macros.get(written.name)?.parameters) return null;
  const head = /^\s*\w+\s*\(([\s\S]*)\)\s*$/.exec(textOf(context, childByField(node, 'declarator') ?? node));
  const text = head ? expandMacroText(macros, written.name, splitArguments(head[1] ?? '')) : null;
  if (text === null) return null;
  const expanded = `${text}{}`;
  const use = spanOf(context, childByField(node, 'declarator') ?? node);
  const inner = withSpans(
    lowerItem(
      { source, text: expanded, start: 0, placeOf: null, later: null, unread: [] },
      parseTree(source.parser, expanded),
    ),
    () => use,
  );
  const last = inner.functions.at(-1);
  if (last?.body?.statements.length !== 0) return null;
  const definition = { ...last, body: written.body, span: written.span, nameSpan: written.nameSpan };
  return { ...inner, functions: [...inner.functions.slice(0, -1), definition] };
}

function lowerItem(piece: Piece, root: SyntaxNode): Contents {
  const { source, text, start, placeOf, later, unread } = piece;
  const limit = source.text.length;
  const { file, packings } = source;
  const context: LowerContext = { file, text, shift: start, placeOf, limit, later, packings, innerCases: [], unread };
  const functions: FunctionDefinition[] = [];
  const classes: ClassDefinition[] = [];
  const globals: Declaration[] = [];
  const aliases: [string, TypeReference][] = [];
  const usings: Item['usings'][number][] = [];

  const visit = (node: SyntaxNode, template: TemplateHead): void => {
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
      case 'concept_definition':
        classes.push(...conceptOf(context, node, template));
        return;
      case 'template_declaration': {
        const inner = namedChildren(node).at(-1);
        if (inner) visit(inner, { ...templateHeadOf(context, node), outer: template.names });
        return;
      }
      case 'function_definition': {
        const definition = lowerFunction(context, node, null, template);
        const expanded = definition ? macroDefinition(piece.source, context, node, definition) : null;
        functions.push(
          ...(expanded?.functions ?? (definition ? [inFixture(context, node, definition, piece.fixture)] : [])),
        );
        classes.push(...(expanded?.classes ?? []));
        globals.push(...(expanded?.globals ?? []));
        return;
      }
      case 'translation_unit':
        for (const child of namedChildren(node))
          unlessTooDeep(context, child, () => {
            visit(child, template);
            return [];
          });
        return;
      case 'struct_specifier':
      case 'class_specifier':
      case 'union_specifier': {
        const definition = lowerClass(context, node, template, classes);
        if (definition) classes.push(definition);
        return;
      }
      case 'enum_specifier':
        aliases.push(...enumType(context, node));
        for (const statement of lowerEnumerators(context, node, true))
          if (statement.kind === 'declare') globals.push(...statement.declarations);
        return;
      case 'declaration': {
        const type = childByField(node, 'type');
        if (type?.type.endsWith('_specifier') && type.type !== 'placeholder_type_specifier') visit(type, template);
        const defaulted = lowerDefaulted(context, node, template);
        const declared = defaulted ? [] : lowerDeclaration(context, node);
        const specialises = declared.length > 0 ? constantSpecialised(context, node) : undefined;
        for (const each of declared)
          if (isVariableTemplate(each, template, specialises !== undefined))
            classes.push(variableTemplate(each, template, specialises));
          else globals.push(each);
        const prototype = defaulted ?? (declared.length === 0 ? lowerFunction(context, node, null, template) : null);
        if (prototype) functions.push(prototype);
        return;
      }
      case 'alias_declaration':
      case 'type_definition': {
        const type = childByField(node, 'type');
        if (type?.type.endsWith('_specifier')) visit(type, template);
        // `typedef enum { … } T;`: what has no name of its own is as wide as others, too.
        if (type?.type === 'enum_specifier' && !childByField(type, 'name'))
          aliases.push(...enumType(context, type, true));
        for (const [name, alias] of lowerAliases(context, node))
          aliases.push([name, template.names.length > 0 ? { ...alias, parameters: template.names } : alias]);
        return;
      }
      case 'namespace_alias_definition': {
        const alias = lowerNamespaceAlias(context, node);
        if (alias) aliases.push([...alias]);
        return;
      }
      case 'compound_statement':
        functions.push(looseBlock(context, node));
        return;
      case 'expression_statement': {
        const instances = testInstances(context, node);
        functions.push(...instances.functions);
        globals.push(...instances.globals);
        for (const [name, type] of instances.aliases) aliases.push([name, type]);
        return;
      }
      case 'ERROR':
        noteUnread(context, node, 'syntax the parser does not know');
        for (const child of namedChildren(node)) if (readable.has(child.type)) visit(child, template);
        return;
      case 'using_declaration':
        usings.push(...lowerUsing(context, node));
        return;
    }
  };
  visit(root, noTemplate);
  return { start, functions, classes, globals, aliases, usings, unread: () => unread, body: null, isHalfTyped: false };
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
