/** `isdigit`, `toupper` and their like, and the numbers that a known text says: `std::stoi`, `atoi` … */

import { numberValue, unknownValue, type Value } from '../value.ts';

const classes: Readonly<Record<string, RegExp>> = {
  isdigit: /[0-9]/,
  isalpha: /[A-Za-z]/,
  isalnum: /[0-9A-Za-z]/,
  isspace: /[ \t\n\v\f\r]/,
  isupper: /[A-Z]/,
  islower: /[a-z]/,
  isxdigit: /[0-9A-Fa-f]/,
  ispunct: /[!-/:-@[-`{-~]/,
};

const numbers: Readonly<Record<string, RegExp>> = {
  atoi: /^\s*[+-]?\d+/,
  atol: /^\s*[+-]?\d+/,
  stoi: /^\s*[+-]?\d+/,
  stol: /^\s*[+-]?\d+/,
  stoul: /^\s*[+-]?\d+/,
  stoull: /^\s*[+-]?\d+/,
};

export function isCharacterFunction(name: string): boolean {
  return Object.hasOwn(classes, name) || Object.hasOwn(numbers, name) || name === 'toupper' || name === 'tolower';
}

/** What a function of that name says of a character or a text. */
export function characterFunction(name: string, value: Value | undefined): Value {
  const number = numbers[name];
  if (number) return value?.kind === 'string' ? numberIn(value.value, number) : unknownValue;
  if (value?.kind !== 'number') return unknownValue;
  const isAscii = value.value >= 0 && value.value < 128;
  const character = isAscii ? String.fromCharCode(value.value) : '';
  const wanted = classes[name];
  if (wanted) return numberValue(wanted.test(character) ? 1 : 0);
  if (!isAscii) return value;
  return numberValue((name === 'toupper' ? character.toUpperCase() : character.toLowerCase()).charCodeAt(0));
}

function numberIn(text: string, number: RegExp): Value {
  const found = number.exec(text);
  return found ? numberValue(Number(found[0])) : unknownValue;
}
