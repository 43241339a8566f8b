/** A file that was read. */

import type { Span } from '../base/span.ts';
import type { MacroDefinition } from './macro-definition.ts';
import type { ModuleItem } from './module-item.ts';
import type {
  ClassDefinition,
  Declaration,
  Expression,
  FunctionDefinition,
  Statement,
  TypeReference,
} from './program.ts';

/** `#include "name"`, and `<name.h>`, which may be one of the project's own. */
export interface Include {
  readonly name: string;
  readonly isAngled: boolean;
  /** It stands inside the braces of an enumeration, an array or a function. */
  readonly isPart?: boolean;
  /** Another directive of the file has the same name: what it says may be something else each time. */
  readonly isRepeated?: boolean;
  readonly span: Span;
}

/** A file read: its top level in order, and what it did not understand. */
export interface Module {
  readonly file: string;
  /** The text with everything blanked that is not compiled. */
  readonly activeText: string;
  /** null where a file is not read item by item. */
  readonly items: readonly ModuleItem[] | null;
  /** Such a file cannot be meant as it stands. */
  readonly isHalfTyped: boolean;
  readonly isScript?: boolean;
  /** For a source file that is read with another, where the two have names that only one of them sees. */
  readonly own?: OwnNames;
  /** Changes when a macro does. */
  readonly macroKey: string;
  readonly functions: readonly FunctionDefinition[];
  readonly classes: readonly ClassDefinition[];
  /** Globals in order of definition. */
  readonly globals: readonly Declaration[];
  /** Top-level statements (TypeScript). */
  readonly statements: readonly Statement[];
  /** `using A = B`, `typedef`. */
  readonly aliases: ReadonlyMap<string, TypeReference>;
  /** The same, each as it stands in its namespace; none where names mean the same everywhere. */
  readonly aliasesIn?: readonly AliasIn[];
  /** What macros without parameters stand for, where that may be a type. */
  readonly typeMacros?: ReadonlyMap<string, TypeReference>;
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  readonly includes: readonly Include[];
  /** Parts that no front end rule covers: the enclosing statement's span and what stood there. */
  readonly unread: readonly { readonly what: string; readonly span: Span }[];
  /** Lowers a macro's body on demand; null when it cannot be read as code. */
  readonly expandMacro: (name: string) => MacroBody | null;
}

/** What tells the names that only one file sees from those of others. */
export interface OwnNames {
  /** Stands before them, as a namespace would. */
  readonly space: string;
  /** Names that other files declare: they are not meant for the file alone. */
  readonly declared: ReadonlySet<string>;
}

/** Another name for a type, in a namespace. */
export interface AliasIn {
  readonly namespace: string;
  readonly name: string;
  readonly type: TypeReference;
}

export type MacroBody =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'statements'; readonly body: readonly Statement[] };
