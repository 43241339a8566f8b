/** Methods of `std::string` and `std::string_view` whose text is known. */

import type { Argument } from './call.ts';
import { createCell, numberValue, type Value } from './value.ts';

/** The method's result; null when it is none that is known. */
export function stringMethod(text: string, name: string, values: readonly Argument[]): Value | null {
  const [first, second] = values.map(({ value }) => value);
  switch (name) {
    case 'size':
    case 'length':
      return numberValue(text.length);
    case 'empty':
      return numberValue(text === '' ? 1 : 0);
    case 'c_str':
    case 'data':
    case 'str':
      return { kind: 'string', value: text };
    case 'at':
    case 'operator[]':
      return first?.kind === 'number' ? characterAt(text, first.value) : null;
    case 'front':
      return characterAt(text, 0);
    case 'back':
      return characterAt(text, text.length - 1);
    case 'substr':
      if (first?.kind !== 'number' || (second && second.kind !== 'number')) return null;
      return { kind: 'string', value: text.slice(first.value, second ? first.value + second.value : undefined) };
    case 'starts_with':
      return first?.kind === 'string' ? numberValue(text.startsWith(first.value) ? 1 : 0) : null;
    case 'ends_with':
      return first?.kind === 'string' ? numberValue(text.endsWith(first.value) ? 1 : 0) : null;
    case 'compare':
      return first?.kind === 'string' ? numberValue(text === first.value ? 0 : text < first.value ? -1 : 1) : null;
    default:
      return null;
  }
}

function characterAt(text: string, index: number): Value | null {
  return index >= 0 && index < text.length ? numberValue(text.charCodeAt(index)) : null;
}

/** The characters of a text, as a loop over it sees them. */
export function charactersOf(text: string): ReturnType<typeof createCell>[] {
  return [...text].map((character) => createCell('character', numberValue(character.charCodeAt(0))));
}
