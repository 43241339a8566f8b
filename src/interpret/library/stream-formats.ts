/** What is written into a stream as text, and what says how: `std::hex`, `std::setw(8)`, `std::fixed` … */

import type { Expression } from '../../program/program.ts';
import type { Argument } from '../calls/call.ts';
import { lastPart } from '../program-table.ts';
import {
  type Cell,
  createCell,
  createRecord,
  type NumberValue,
  numberValue,
  type RecordObject,
  unsignedValue,
  type Value,
} from '../value.ts';
import { longestText } from './long-texts.ts';

/** Names that say how numbers are written from then on, by what they set. */
const switches: Readonly<Record<string, readonly [setting: string, value: number]>> = {
  hex: ['base', 16],
  oct: ['base', 8],
  dec: ['base', 10],
  boolalpha: ['words', 1],
  noboolalpha: ['words', 0],
  fixed: ['fixed', 1],
  defaultfloat: ['fixed', 0],
  left: ['left', 1],
  right: ['left', 0],
};

/** Functions that make an object which says how something is written. */
export const streamSettings = ['setw', 'setfill', 'setprecision', 'setbase'];

/** `std::setw(8)`: an object that the stream is given. */
export function streamSetting(name: string, [given]: readonly Argument[]): Value {
  const record = createRecord(`std::${name}`, true);
  record.fields.set('(value)', createCell('(value)', given?.value));
  return { kind: 'record', record };
}

/** What `stream << x` adds to the text of a stream; null where it is not known. */
export function writtenTo(stream: RecordObject, value: Value, cell: Cell | null, written: Expression): string | null {
  const name = written.kind === 'name' ? lastPart(written.name) : '';
  if (name === 'endl') return '\n';
  if (name === 'flush') return '';
  const change = Object.hasOwn(switches, name) ? switches[name] : undefined;
  if (change && value.kind !== 'number' && value.kind !== 'string') {
    set(stream, change[0], numberValue(change[1]));
    return '';
  }
  if (value.kind === 'record' && value.record.className.startsWith('std::set')) {
    const given = value.record.fields.get('(value)')?.value ?? { kind: 'unknown' };
    set(stream, value.record.className.slice('std::set'.length), given);
    return '';
  }
  // Of what is cast only the value is left.
  const text = shown(stream, value, written.kind === 'cast' ? null : cell);
  const width = setting(stream, 'w');
  set(stream, 'w', numberValue(0));
  if (text === null || width === null) return null;
  const fill = setting(stream, 'fill');
  if (width <= text.length) return text;
  if (fill === null || width > longestText) return null;
  const character = String.fromCharCode(fill === 0 ? 32 : fill);
  return setting(stream, 'left') === 1 ? text.padEnd(width, character) : text.padStart(width, character);
}

function shown(stream: RecordObject, value: Value, cell: Cell | null): string | null {
  if (value.kind === 'string') return value.value;
  if (value.kind !== 'number') return null;
  if (isCharacter(value, cell)) return String.fromCharCode(value.value);
  if (value.type === 'bool' || cell?.type?.name === 'bool')
    return setting(stream, 'words') === 1 ? String(value.value !== 0) : String(value.value);
  if (value.type === 'float' || value.type === 'real') return realText(stream, value.value);
  if (!Number.isInteger(value.value)) return null;
  const base = setting(stream, 'base');
  if (base === null) return null;
  const number = unsignedValue(value);
  if (base === 0 || base === 10) return Number.isSafeInteger(number) ? String(number) : null;
  return number >= 0 && Number.isSafeInteger(number) ? number.toString(base) : null;
}

function isCharacter({ type }: NumberValue, cell: Cell | null): boolean {
  if (type === 'char' || type === 'i8' || type === 'u8') return true;
  return cell?.type != null && cell.type.pointers === 0 && /\bchar$|^(?:std::)?u?int8_t$/.test(cell.type.name);
}

/** As `%g` writes it, or with so many digits behind the point. */
function realText(stream: RecordObject, value: number): string | null {
  const precision = setting(stream, 'precision');
  const isFixed = setting(stream, 'fixed');
  if (precision === null || isFixed === null || !Number.isFinite(value)) return null;
  const isSet = stream.fields.has('(precision)');
  if (isFixed === 1) return value.toFixed(isSet ? precision : 6);
  const digits = isSet ? Math.max(1, precision) : 6;
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent < -4 || exponent >= digits) return null;
  const text = value.toPrecision(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** What a setting is; 0 where nobody has said anything, null where it is not known. */
function setting({ fields }: RecordObject, name: string): number | null {
  const cell = fields.get(`(${name})`);
  if (!cell) return 0;
  return cell.value.kind === 'number' ? cell.value.value : null;
}

function set({ fields }: RecordObject, name: string, value: Value): void {
  const known = fields.get(`(${name})`);
  if (known) known.value = value;
  else if (value.kind !== 'number' || value.value !== 0) fields.set(`(${name})`, createCell(`(${name})`, value));
}
