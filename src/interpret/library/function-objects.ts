/** Objects of the C++ library that calculate: `std::plus<>()`. */

/** Function objects of the library, by the operator that they are. */
export const functionObjects: Readonly<Record<string, string>> = {
  plus: '+',
  minus: '-',
  multiplies: '*',
  divides: '/',
  modulus: '%',
  equal_to: '==',
  not_equal_to: '!=',
  less: '<',
  greater: '>',
  less_equal: '<=',
  greater_equal: '>=',
  bit_or: '|',
  bit_and: '&',
  bit_xor: '^',
  negate: '-',
  logical_not: '==',
};

/** Those of one thing, which is taken from zero, or compared with it. */
export const ofOne = new Set(['negate', 'logical_not']);
