/** TypeScript text to the host program: parse, lower. Names, calls and values mean what they mean in C++. */

import type { Module } from '../../program/program.ts';
import { namedChildren, type SyntaxTree } from '../syntax-tree.ts';
import type { ProgramNames, TypeScriptContext } from './lower-expressions.ts';
import { lowerTopLevel } from './lower-statements.ts';

/** A file that was parsed. `given`: what its names are called in the program, and what that knows of classes and namespaces. */
export function lowerScript(file: string, text: string, root: SyntaxTree, given: ProgramNames): Module {
  const context: TypeScriptContext = {
    ...given,
    file,
    text,
    unread: [],
    hasVar: /\bvar\b/.test(text),
    hoisted: new Set(),
    classNodes: new Map(),
    baseClass: null,
    staticOf: null,
    calledOf: null,
  };
  const { functions, classes, statements } = lowerTopLevel(context, namedChildren(root));
  return {
    file,
    activeText: text,
    items: null,
    isScript: true,
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
