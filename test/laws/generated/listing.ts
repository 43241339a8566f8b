/** A program as a list of statements that know what they stand for and what they hang on, and its print as text. */

/** A statement of `main`, without its semicolon. */
export interface Statement {
  readonly text: string;
  /** What is done here, in the words of the program it was made from (`n3`, `s5`); null for preparation. */
  readonly id: string | null;
  /** A call that returns a status, which may be wrapped. */
  readonly isCall: boolean;
  /** Things (variables, streams, graphs) whose state it needs. */
  readonly uses: readonly string[];
  /** Things whose state it changes: nothing else that names them may change places with it. */
  readonly changes: readonly string[];
}

export interface Listing {
  /** Kernels, in front of `main`. */
  readonly definitions: string;
  readonly statements: readonly Statement[];
}

export function call(text: string, id: string | null, uses: readonly string[], changes: readonly string[]): Statement {
  return { text, id, isCall: true, uses, changes };
}

/** A declaration, an assignment or a kernel launch. */
export function plain(
  text: string,
  uses: readonly string[],
  changes: readonly string[],
  id: string | null = null,
): Statement {
  return { text, id, isCall: false, uses, changes };
}

/** How a program is written; none of it may matter. */
export interface Writing {
  readonly definitions: string;
  /** Makes a statement's text, with its semicolon. */
  readonly statement: (statement: Statement) => string;
  readonly separator: string;
  /** Around all statements. */
  readonly head: string;
  readonly tail: string;
}

export const plainWriting: Writing = {
  definitions: '',
  statement: ({ text }) => `${text};`,
  separator: '\n  ',
  head: 'int main() {',
  tail: '\n}\n',
};

export interface Written {
  readonly text: string;
  /** The statement around an offset; null for what stands in front of `main`. */
  readonly statementAt: (offset: number) => Statement | null;
}

export function write(listing: Listing, writing: Writing = plainWriting): Written {
  let text = `#include <cuda_runtime.h>\n${writing.definitions}${listing.definitions}${writing.head}`;
  const start = text.length;
  const ends: { readonly end: number; readonly statement: Statement }[] = [];
  for (const statement of listing.statements) {
    text += writing.separator + writing.statement(statement);
    ends.push({ end: text.length, statement });
  }
  text += writing.tail;
  return {
    text,
    statementAt: (offset) => (offset < start ? null : (ends.find((each) => offset < each.end)?.statement ?? null)),
  };
}

/** The statements in another order in which none has changed places with one that it hangs on. */
export function reordered(listing: Listing, picks: readonly number[]): Listing {
  const left = [...listing.statements];
  const statements: Statement[] = [];
  for (let turn = 0; left.length > 0; turn++) {
    const free = left.filter((each, index) => !left.slice(0, index).some((earlier) => depends(each, earlier)));
    const next = free[(picks[turn % picks.length] ?? 0) % free.length]!;
    left.splice(left.indexOf(next), 1);
    statements.push(next);
  }
  return { ...listing, statements };
}

function depends(later: Statement, earlier: Statement): boolean {
  const names = (statement: Statement): readonly string[] => [...statement.uses, ...statement.changes];
  return (
    earlier.changes.some((name) => names(later).includes(name)) ||
    later.changes.some((name) => names(earlier).includes(name))
  );
}
