/** What stands between a function's braces, read when it is first asked for: most bodies in most files never are. */

import { noteBody } from './consulted.ts';
import type { Expression, Statement } from './program.ts';

/** A call in a body: what is called, and where, from the start of the function. `<<<` for a launch. */
export interface BodyCall {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What is the same wherever the body stands, and however it is spaced. */
interface Identity {
  /** Of each statement, as far as they were asked for, and null behind the last; places in them are of where the body stood first. */
  readonly pieces: (readonly Piece[] | null)[];
  /** What holds as long as it is spaced as it was last: whoever types elsewhere moves it in every analysis, and it stays spaced so. */
  spacedLast: { readonly spacing: string; readonly shared: Shared } | null;
}

type Piece = Expression | Statement;

/** What is the same as long as the body is written the same. */
interface Shared {
  readonly identity: Identity;
  calls: readonly BodyCall[] | null;
}

export class FunctionBody {
  readonly #read: () => readonly Statement[];
  readonly #readMentions: (body: FunctionBody) => ReadonlySet<string>;
  #statements: readonly Statement[] | null = null;
  #mentions: ReadonlySet<string> | null = null;
  readonly #shared: Shared;

  constructor(
    read: () => readonly Statement[],
    readMentions: (body: FunctionBody) => ReadonlySet<string>,
    shared: Shared = { identity: { pieces: [], spacedLast: null }, calls: null },
  ) {
    this.#read = read;
    this.#readMentions = readMentions;
    this.#shared = shared;
  }

  /** Stands for the body wherever the function is moved to. */
  get identity(): object {
    return this.#shared.identity;
  }

  get statements(): readonly Statement[] {
    noteBody(this.#shared.identity);
    this.#statements ??= this.#read();
    return this.#statements;
  }

  /** Every name in it, and `<<<` where a kernel is launched; perhaps more, never less. Costs no parsing. */
  get mentions(): ReadonlySet<string> {
    noteBody(this.#shared.identity);
    this.#mentions ??= this.#readMentions(this);
    return this.#mentions;
  }

  /** Its calls, as `collect` lists them; asked once however often the body moves. */
  calls(collect: (statements: readonly Statement[]) => readonly BodyCall[]): readonly BodyCall[] {
    this.#shared.calls ??= collect(this.statements);
    return this.#shared.calls;
  }

  /** What `collect` takes from its statements, one at a time; asked once however often the body moves, so it must not hang on places. */
  *pieces(collect: (statement: Statement) => readonly Piece[]): Iterable<Piece> {
    noteBody(this.#shared.identity);
    const { pieces } = this.#shared.identity;
    for (let index = 0; ; index++) {
      let own = pieces[index];
      if (own === undefined) {
        const statement = this.statements[index];
        own = statement ? collect(statement) : null;
        pieces[index] = own;
      }
      if (own === null) return;
      yield* own;
    }
  }

  /** The same with every statement changed, when it is read. `spacing`: the text it stands in now, where its calls stand elsewhere within the function; null where they do not. */
  map(change: (statements: readonly Statement[]) => readonly Statement[], spacing: string | null): FunctionBody {
    return new FunctionBody(
      () => change(this.statements),
      () => this.mentions,
      spacing === null ? this.#shared : sharedAs(spacing, this.#shared.identity),
    );
  }
}

function sharedAs(spacing: string, identity: Identity): Shared {
  if (identity.spacedLast?.spacing === spacing) return identity.spacedLast.shared;
  const shared: Shared = { identity, calls: null };
  identity.spacedLast = { spacing, shared };
  return shared;
}
