/** What stands between a function's braces, read when it is first asked for: most bodies in most files never are. */

import type { Statement } from './program.ts';

export class FunctionBody {
  readonly #read: () => readonly Statement[];
  readonly #readMentions: (body: FunctionBody) => ReadonlySet<string>;
  #statements: readonly Statement[] | null = null;
  #mentions: ReadonlySet<string> | null = null;

  constructor(read: () => readonly Statement[], readMentions: (body: FunctionBody) => ReadonlySet<string>) {
    this.#read = read;
    this.#readMentions = readMentions;
  }

  get statements(): readonly Statement[] {
    this.#statements ??= this.#read();
    return this.#statements;
  }

  /** Every name in it, and `<<<` where a kernel is launched; perhaps more, never less. Costs no parsing. */
  get mentions(): ReadonlySet<string> {
    this.#mentions ??= this.#readMentions(this);
    return this.#mentions;
  }

  /** The same with every statement changed, when it is read. */
  map(change: (statements: readonly Statement[]) => readonly Statement[]): FunctionBody {
    return new FunctionBody(
      () => change(this.statements),
      () => this.mentions,
    );
  }
}
