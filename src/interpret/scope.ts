/** Names in scope: cells, and a macro's parameters, which are expressions evaluated where the macro was used. */

import type { ClassDefinition, Expression, FunctionDefinition } from '../program/program.ts';
import type { Cell, RecordObject } from './value.ts';

export interface Thunk {
  readonly kind: 'thunk';
  readonly expressions: readonly Expression[];
  readonly scope: Scope;
}

export interface Scope {
  readonly parent: Scope | null;
  readonly names: Map<string, Cell | Thunk>;
  /** Functions and classes defined inside a function. */
  readonly functions: Map<string, FunctionDefinition>;
  readonly classes: Map<string, ClassDefinition>;
  /** The object whose method runs. */
  readonly self: RecordObject | null;
  /** Cells to destroy when the scope ends, in order of construction. */
  readonly owned: Cell[];
  /** Types that template parameters stand for. */
  readonly templateTypes: Map<string, import('../program/program.ts').TypeReference>;
}

export function createScope(parent: Scope | null, self: RecordObject | null = parent?.self ?? null): Scope {
  return {
    parent,
    names: new Map(),
    functions: new Map(),
    classes: new Map(),
    self,
    owned: [],
    templateTypes: new Map(),
  };
}

/** Finds a name from the innermost scope outwards. */
export function lookUp(scope: Scope, name: string): Cell | Thunk | undefined {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const found = current.names.get(name);
    if (found) return found;
  }
  return undefined;
}

export function isThunk(entry: Cell | Thunk): entry is Thunk {
  return 'kind' in entry && (entry as Thunk).kind === 'thunk';
}
