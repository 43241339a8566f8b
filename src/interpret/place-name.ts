/** What a handle or an allocation is called in messages: its variable, or the place as the call names it. */

import type { Expression } from '../program/program.ts';
import type { Cell } from './value.ts';

/** Characters of a place in a message; a longer one is cut. */
const longest = 48;

/** `cell`: where it is put; `written`: the argument that says so, where the call is at hand. */
export function placeName(cell: Cell | null, written: Expression | undefined): string {
  if (!cell || cell.name === 'return') return '';
  if (isVariable(cell.name) || !written) return cell.name;
  const text = textOf(written);
  if (text === null) return cell.name;
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** What the structure is called that a parameter has in it, `plan.params.alloc`: `path` says where in the argument it is written to. */
export function holderName(path: string, written: Expression | undefined): string | null {
  const [, ...members] = path.split('.');
  const text = members.length > 0 && written ? textOf(written) : null;
  return text && text.length <= longest ? [text, ...members.slice(0, -1)].join('.') : null;
}

/** What memory is called that somebody made without giving it a name. */
const madeUp = new Set(['object', 'new', 'buffer']);

/** Elements of maps, and what an `optional` or a `variant` holds, have no names of their own. */
function isVariable(name: string): boolean {
  return !name.startsWith('[') && !name.startsWith('(') && !madeUp.has(name);
}

/** What an owner, an `optional` or a `variant` holds is called as they are. */
const transparent = new Set(['value', 'get', 'any_cast', 'get_if']);

/** A place as one reads it, without what is about addresses and types; null for what is no place. */
function textOf(expression: Expression): string | null {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'number':
      return String(expression.value);
    case 'string':
      return JSON.stringify(expression.value);
    case 'cast':
      return textOf(expression.operand);
    case 'unary':
      return expression.operator === '&' || expression.operator === '*' ? textOf(expression.operand) : null;
    case 'member': {
      const object = textOf(expression.object);
      return object && `${object}${expression.isArrow ? '->' : '.'}${expression.name}`;
    }
    case 'index': {
      const object = textOf(expression.object);
      return object && `${object}[${textOf(expression.index) ?? '…'}]`;
    }
    case 'call': {
      const { callee, arguments: given } = expression;
      const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name.replace(/^.*::/, '') : '';
      if (callee.kind === 'member' && transparent.has(name)) return textOf(callee.object);
      if (callee.kind === 'name' && transparent.has(name) && given[0]) return textOf(given[0]);
      const called = textOf(callee);
      return called && `${called}(${given.map((each) => textOf(each) ?? '…').join(', ')})`;
    }
    default:
      return null;
  }
}
