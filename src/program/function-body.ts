/** What stands between a function's braces, read when it is first asked for: most bodies in most files never are. */

import { noteBody } from './consulted.ts';
import type { Statement } from './program.ts';

/** A call in a body: what is called, and where, from the start of the function. `<<<` for a launch. */
export interface BodyCall {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What is the same wherever the body stands. */
interface Shared {
  readonly identity: object;
  /** As long as it is written the same. */
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
    shared: Shared = { identity: {}, calls: null },
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

  /** The same with every statement changed, when it is read. `isRespaced`: its calls stand elsewhere within the function. */
  map(change: (statements: readonly Statement[]) => readonly Statement[], isRespaced: boolean): FunctionBody {
    return new FunctionBody(
      () => change(this.statements),
      () => this.mentions,
      isRespaced ? { identity: this.identity, calls: null } : this.#shared,
    );
  }
}
