/**
 * Pointers to members. `float T::*m` is declared like a pointer: in a class the grammar does not know the other form. `o.*m` and `p->*m`, which the grammar does not know: the asterisk becomes a letter, so that they read as members, and the
 * letter says that what follows names no member but holds a pointer to one. No character moves. Where a pointer to a pointer to a member
 * is followed, `p->**m`, a product of the mark is left, which {@link isMarkAlone} tells.
 */

import type { Expression } from '../../program/program.ts';

const mark = 'µ';

export function markMemberPointers(text: string): string {
  const declared = text.includes('::*') ? text.replace(declaration, blankClass) : text;
  if (!/(?:->|\.)\*/.test(declared)) return declared;
  return declared
    .replace(beforeLambda, standIn)
    .replace(beforeObject, markedProduct)
    .replace(/(->|\.)\*(?=\s*[A-Za-z_(*])/g, (match, arrow: string, at: number) =>
      isObject(declared, at) ? `${arrow}${mark}` : match,
    );
}

/** `Guard{} ->* [&] { … }`: no lambda is a pointer to a member, so that the program says what that is. */
const beforeLambda = /->\*(?=\s*\[)/g;

/** `node ->* Kernel{p, n}`: an object that is made there is none either. */
const beforeObject = /->\*(?=\s*(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*(?:<[^<>;{}]*>)?\s*\{)/g;

/** A product, with white space behind its sign that nobody writes. */
const markedProduct = '%\v\v';

/** What the grammar knows instead, of the same length; no lambda is compared so. */
const standIn = '<=>';

/** The operator that is meant, where one that the grammar does not know was replaced. `behind`: what stands behind its first sign. */
export function operatorMeant(operator: string, right: Expression, behind: string): string {
  if (operator === '%' && behind.startsWith(markedProduct.slice(1))) return '->*';
  return operator === standIn && right.kind === 'lambda' ? '->*' : operator;
}

const declaration = /(?<=[\w>*&(]\s*)\b(?:[A-Za-z_]\w*::)+\*(?=\s*[A-Za-z_)>,&*])/g;

/** White space that nobody writes before an asterisk. */
const blankedClass = '\f';

function blankClass(written: string): string {
  return `${blankedClass}*`.padStart(written.length);
}

/** Whether the asterisk there is one of a pointer to a member. */
export function isMarkedMember(text: string, asterisk: number): boolean {
  return text[asterisk - 1] === blankedClass;
}

/** Whether an object ends here: a name, a call or an element, as opposed to a number such as `2.`. */
function isObject(text: string, end: number): boolean {
  let start = end;
  while (start > 0 && /\w/.test(text[start - 1]!)) start--;
  // `operator->*(…)` is a name.
  if (text.slice(start, end) === 'operator') return false;
  return start < end ? /[A-Za-z_]/.test(text[start]!) : /[)\]]/.test(text[end - 1] ?? '');
}

/** The name that holds the pointer, where a member is marked. */
export function memberPointerIn(name: string): string | null {
  return name.startsWith(mark) ? name.slice(mark.length).trim() : null;
}

/** Whether this is the member of which only the mark was written: `p->*` of `p->**m`. */
export function isMarkAlone(expression: Expression): expression is Expression & { kind: 'binary' } {
  return (
    expression.kind === 'binary' &&
    expression.operator === '.*' &&
    expression.right.kind === 'name' &&
    expression.right.name === ''
  );
}
