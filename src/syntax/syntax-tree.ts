/**
 * A plain copy of a tree-sitter tree.
 *
 * Nodes of the parser must not be used after their tree is deleted, and each access crosses into wasm; so the tree is
 * walked once with a cursor, copied, and deleted. Only what lowering reads is kept: comments are dropped.
 */

import type { Language, Parser } from 'web-tree-sitter';
import { keptOnce } from '../base/same-texts.ts';
import { type TreeWalk, walkTree } from './tree-walk.ts';

export interface SyntaxNode {
  readonly type: string;
  readonly named: boolean;
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly missing: boolean;
  readonly children: readonly SyntaxNode[];
}

/** The root of a tree. */
export interface SyntaxTree extends SyntaxNode {
  /** The parser neither left anything out nor added anything. */
  readonly isWhole: boolean;
}

/** Parses `text` and copies the tree. Never fails: what cannot be parsed comes back as `ERROR` nodes. */
export function parseTree(parser: Parser, text: string): SyntaxTree {
  const tree = parser.parse(text);
  if (!tree)
    return {
      type: 'ERROR',
      named: true,
      field: null,
      start: 0,
      end: text.length,
      missing: false,
      children: [],
      isWhole: false,
    };
  try {
    const root = walkTree(tree, (walk) => copyNode(walk, walk.typeId(), tablesOf(tree.language), 0));
    return Object.assign(root, { isWhole: !tree.rootNode.hasError });
  } finally {
    tree.delete();
  }
}

/** Nesting beyond this is cut off: the part becomes an `ERROR` node. Keeps hostile inputs from exhausting the stack. */
export const maximumDepth = 600;

/** Per node type: its name, and what to do with it. Every access to a cursor crosses into wasm, so few are made. */
interface Tables {
  readonly types: readonly string[];
  readonly named: readonly boolean[];
  readonly skipped: readonly boolean[];
  readonly leaf: readonly boolean[];
  readonly fields: readonly (string | null)[];
}

const tablesByLanguage = new WeakMap<Language, Tables>();

function tablesOf(language: Language): Tables {
  const known = tablesByLanguage.get(language);
  if (known) return known;
  const types = keptOnce(language.types);
  const named = types.map((_, id) => language.nodeTypeIsNamed(id));
  const tables: Tables = {
    types,
    named,
    skipped: types.map((type, id) => type === 'comment' || (!named[id] && punctuation.has(type))),
    leaf: types.map((type) => leafTypes.has(type)),
    fields: fieldsOf(language),
  };
  tablesByLanguage.set(language, tables);
  return tables;
}

/** Their names, by number; the first number stands for none. */
function fieldsOf({ fields }: Language): readonly (string | null)[] {
  const kept = keptOnce(fields.map((each) => each ?? ''));
  return fields.map((each, index) => (each === null ? null : kept[index]!));
}

function copyNode(walk: TreeWalk, id: number, tables: Tables, depth: number): SyntaxNode {
  const type = tables.types[id] ?? 'ERROR';
  const named = tables.named[id] ?? true;
  const fieldId = walk.fieldId();
  const field = fieldId === 0 ? null : (tables.fields[fieldId] ?? null);
  const start = walk.start();
  const end = walk.end();
  const missing = start === end && walk.isMissing();
  if (depth > maximumDepth) return { type: 'ERROR', named: true, field, start, end, missing: false, children: none };
  if (!named || tables.leaf[id] || !walk.toFirstChild())
    return { type, named, field, start, end, missing, children: none };
  const children: SyntaxNode[] = [];
  do {
    const child = walk.typeId();
    if (!tables.skipped[child]) children.push(copyNode(walk, child, tables, depth + 1));
  } while (walk.toNextSibling());
  walk.toParent();
  return { type, named, field, start, end, missing, children };
}

const none: readonly SyntaxNode[] = [];
const punctuation = new Set(['(', ')', '{', '}', '[', ']', ';', ',', '"', "'", '.', '->', ':', '::', '<<<', '>>>']);
const leafTypes = new Set([
  'identifier',
  'number_literal',
  'string_literal',
  'type_identifier',
  'field_identifier',
  'primitive_type',
  'null',
  'true',
  'false',
  'number',
  'string',
  'property_identifier',
]);

/** The first child in that field. */
export function childByField(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const { children } = node;
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!;
    if (child.field === field) return child;
  }
  return undefined;
}

/** All children in that field. */
export function childrenByField(node: SyntaxNode, field: string): SyntaxNode[] {
  return node.children.filter((child) => child.field === field);
}

/** Named children only. */
export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  const named: SyntaxNode[] = [];
  const { children } = node;
  for (let index = 0; index < children.length; index++) {
    const child = children[index]!;
    if (child.named) named.push(child);
  }
  return named;
}

/** The first child of one of these types. */
export function childOfType(node: SyntaxNode, ...types: string[]): SyntaxNode | undefined {
  for (const child of node.children) if (types.includes(child.type)) return child;
  return undefined;
}

/** Whether an `ERROR` or missing token lies anywhere below. */
export function hasError(node: SyntaxNode): boolean {
  if (node.type === 'ERROR' || node.missing) return true;
  for (const child of node.children) if (hasError(child)) return true;
  return false;
}
