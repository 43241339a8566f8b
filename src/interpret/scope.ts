/** Names in scope: cells, and a macro's parameters, which are expressions evaluated where the macro was used. */

import type { Span } from '../base/span.ts';
import type { Expression, FunctionDefinition, TypeReference } from '../program/program.ts';
import type { Cell, RecordObject } from './value.ts';

export interface Thunk {
  readonly kind: 'thunk';
  readonly expressions: readonly Expression[];
  readonly scope: Scope;
  /** A parameter pack, as opposed to a macro's parameter. */
  readonly isPack?: boolean;
}

/** One use of a macro, by which its body is told from the others that it makes. */
export interface MacroUse {
  readonly name: string;
  readonly user: Scope;
  readonly span: Span;
}

export interface Scope {
  readonly parent: Scope | null;
  /** null while there are none, as in most loop bodies. */
  names: Map<string, Cell | Thunk> | null;
  /** Functions defined inside a function; null while there are none: a run makes very many scopes. */
  functions: Map<string, FunctionDefinition> | null;
  /** The object whose method runs. */
  readonly self: RecordObject | null;
  /** Cells to destroy when the scope ends, in order of construction. */
  readonly owned: Cell[];
  /** How many of them are parameters; −1 for what is no scope of a whole function or lambda. */
  parameterCount: number;
  /** Of a method's scope: the class that it is of, also where it has no object. */
  className: string | null;
  /** Types that template parameters, local aliases and the names of local classes stand for. */
  templateTypes: Map<string, TypeReference> | null;
  /** The same of packs. */
  typePacks: Map<string, readonly TypeReference[]> | null;
  /** Of a macro's body that runs in it. */
  macro: MacroUse | null;
  /** Parameters that are somebody else's variable. */
  references: Set<string> | null;
}

/** The name under which a handler finds what it handles. */
export const handled = '(caught)';

export function createScope(parent: Scope | null, self: RecordObject | null = parent?.self ?? null): Scope {
  return {
    parent,
    names: null,
    functions: null,
    self,
    owned: [],
    parameterCount: -1,
    className: null,
    templateTypes: null,
    typePacks: null,
    macro: null,
    references: null,
  };
}

/** It is the scope of a function, or of a method of that class, whose parameters are in it now. */
export function beginFunction(scope: Scope, className: string | null): void {
  scope.parameterCount = scope.owned.length;
  scope.className = className;
}

/** The class in a method of which the text stands, be it in a lambda that somebody else calls. */
export function classAround(scope: Scope): string | null {
  for (let current: Scope | null = scope; current; current = current.parent)
    if (current.className !== null) return current.className;
  return null;
}

export function bind(scope: Scope, name: string, entry: Cell | Thunk): void {
  namesOf(scope).set(name, entry);
}

/** What the scope itself names. */
export function namesOf(scope: Scope): Map<string, Cell | Thunk> {
  scope.names ??= new Map();
  return scope.names;
}

/** A parameter is another name for what it is given. */
export function bindReference(scope: Scope, name: string, cell: Cell): void {
  bind(scope, name, cell);
  scope.references ??= new Set();
  scope.references.add(name);
}

/** Finds a name from the innermost scope outwards. */
export function lookUp(scope: Scope, name: string): Cell | Thunk | undefined {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const found = current.names?.get(name);
    if (found) return found;
  }
  return undefined;
}

/** The type that a template parameter, a local alias or the name of a local class stands for; null for other names. */
export function typeStoodFor(scope: Scope, name: string): TypeReference | null {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const found = current.templateTypes?.get(name);
    if (found) return found;
  }
  return null;
}

export function isThunk(entry: Cell | Thunk): entry is Thunk {
  return 'kind' in entry && (entry as Thunk).kind === 'thunk';
}
