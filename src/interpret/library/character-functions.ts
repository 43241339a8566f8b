/** `isdigit`, `toupper` and their like. */

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

export function isCharacterFunction(name: string): boolean {
  return Object.hasOwn(classes, name) || name === 'toupper' || name === 'tolower';
}

/** What a function of that name says of a character. */
export function characterFunction(name: string, value: Value | undefined): Value {
  if (value?.kind !== 'number') return unknownValue;
  const isAscii = value.value >= 0 && value.value < 128;
  const character = isAscii ? String.fromCharCode(value.value) : '';
  const wanted = classes[name];
  if (wanted) return numberValue(wanted.test(character) ? 1 : 0);
  if (!isAscii) return value;
  return numberValue((name === 'toupper' ? character.toUpperCase() : character.toLowerCase()).charCodeAt(0));
}
