/** TypeScript text to the host program: parse, lower. Names, calls and values mean what they mean in C++. */

import type { Parser } from 'web-tree-sitter';
import type { Module } from '../../program/program.ts';
import { namedChildren, parseTree } from '../syntax-tree.ts';
import { classesIn } from './lower-classes.ts';
import type { TypeScriptContext } from './lower-expressions.ts';
import { lowerTopLevel, namespacesIn } from './lower-statements.ts';

export function parseTypeScript(parser: Parser, file: string, text: string): Module {
  const root = parseTree(parser, text);
  const known = classesIn(text, root);
  const context: TypeScriptContext = {
    file,
    text,
    unread: [],
    classes: known,
    namespaces: namespacesIn(text, root),
    baseClass: null,
    staticOf: null,
  };
  const { functions, classes, statements } = lowerTopLevel(context, namedChildren(root));
  return {
    file,
    activeText: text,
    items: null,
    isHalfTyped: !root.isWhole,
    macroKey: '',
    functions,
    classes,
    globals: [],
    statements,
    aliases: new Map(),
    macros: new Map(),
    includes: [],
    unread: context.unread,
    expandMacro: () => null,
  };
}
