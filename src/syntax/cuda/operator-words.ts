/** `not a and b`: the operators of C++ that may be written as words. */

export const operatorWords: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['not_eq', '!='],
  ['bitand', '&'],
  ['bitor', '|'],
  ['xor', '^'],
  ['compl', '~'],
  ['and_eq', '&='],
  ['or_eq', '|='],
  ['xor_eq', '^='],
]);
