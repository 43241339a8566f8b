/** `std::format("buffer{}", i)`: texts that keys and names are made of, where everything that they say is known. */

import type { Argument } from '../calls/call.ts';
import { unknownCall } from '../calls/unknown-call.ts';
import { unknownValue, type Value } from '../value.ts';
import type { Builtin } from './builtin.ts';
import { textAt } from './c-strings.ts';

/** `{}`, `{1}`, `{:02}`, `{:>4x}`, and a brace that is written twice. */
const field = /\{\{|\}\}|\{(\d*)(?::([<>]?)(0?)(\d*)([dxXs]?))?\}|[{}]/g;

/** A format with what is given for its fields; null when that, or what one of them does, is not known. */
function formattedText(format: string | null, values: readonly Argument[]): string | null {
  if (format === null) return null;
  let next = 0;
  let isKnown = true;
  const text = format.replace(field, (whole: string, place = '', side = '', zero = '', width = '', kind = '') => {
    if (whole === '{{' || whole === '}}') return whole[0]!;
    const value = whole.length > 1 ? values[place === '' ? next++ : Number(place)]?.value : undefined;
    const shown = value ? shownAs(value, kind) : null;
    // Zeros come behind a sign.
    if (shown === null || (zero !== '' && shown.startsWith('-'))) isKnown = false;
    const isNumber = value?.kind === 'number';
    const fill = isNumber && side === '' && zero !== '' ? zero : ' ';
    const isLeft = side === '' ? !isNumber : side === '<';
    return isLeft ? (shown ?? '').padEnd(Number(width)) : (shown ?? '').padStart(Number(width), fill);
  });
  return isKnown ? text : null;
}

/** Numbers of other types, as `bool`, `char` and `float`, are not shown as whole numbers are. */
function shownAs(value: Value, kind: string): string | null {
  if (value.kind !== 'number') return kind === '' || kind === 's' ? textAt(value) : null;
  const isWhole = value.type === undefined || /^[iu](?:16|32|64)$/.test(value.type);
  if (!isWhole || !Number.isSafeInteger(value.value) || kind === 's') return null;
  if (kind === '' || kind === 'd') return String(value.value);
  const digits = value.value.toString(16);
  return kind === 'X' ? digits.toUpperCase() : digits;
}

const format: Builtin = (world, _scope, values, { callee, span }) => {
  const text = formattedText(textAt(values[0]?.value), values.slice(1));
  if (text !== null) return { kind: 'string', value: text };
  const isOfLibrary = callee.kind === 'name' && /^(?:std|fmt)::format$/.test(callee.name);
  return isOfLibrary ? unknownValue : unknownCall(world, 'format', values, span);
};

/** The functions, by name. */
export const textFormats: Readonly<Record<string, Builtin>> = { format };
