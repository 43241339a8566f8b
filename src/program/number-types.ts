/** The arithmetic types of the language and its library by the names that they are written with: what each can hold. */

import type { NumberType } from './program.ts';

/** How a type stores numbers. */
export interface Storage {
  readonly bits: 1 | 8 | 16 | 32 | 64;
  readonly kind: 'signed' | 'unsigned' | 'real';
  /** Of what type its values are when they are calculated with. */
  readonly type: NumberType | undefined;
}

const names: Readonly<Record<string, Storage>> = {
  bool: { bits: 1, kind: 'unsigned', type: undefined },
  float: { bits: 32, kind: 'real', type: 'float' },
  double: { bits: 64, kind: 'real', type: 'real' },
  size_t: whole(64, 'unsigned'),
  uintptr_t: whole(64, 'unsigned'),
  uintmax_t: whole(64, 'unsigned'),
  ssize_t: whole(64, 'signed'),
  ptrdiff_t: whole(64, 'signed'),
  intptr_t: whole(64, 'signed'),
  intmax_t: whole(64, 'signed'),
  uint: whole(32, 'unsigned'),
  ushort: whole(16, 'unsigned'),
  uchar: whole(8, 'unsigned'),
  ulong: whole(64, 'unsigned'),
  byte: whole(8, 'unsigned'),
};

const widths: ReadonlyMap<string, 8 | 16 | 32 | 64> = new Map([
  ['8', 8],
  ['16', 16],
  ['32', 32],
  ['64', 64],
]);

function whole(bits: 8 | 16 | 32 | 64, kind: 'signed' | 'unsigned'): Storage {
  return {
    bits,
    kind,
    type: bits === 64 ? (kind === 'signed' ? 'i64' : 'u64') : bits === 32 && kind === 'unsigned' ? 'u32' : undefined,
  };
}

const storages = new Map<string, Storage | null>();

/** By the name of a type as it is written; null for what is no arithmetic type of the language or its library. */
export function storageNamed(name: string): Storage | null {
  let known = storages.get(name);
  if (known === undefined) {
    known = readStorage(name);
    storages.set(name, known);
  }
  return known;
}

function readStorage(written: string): Storage | null {
  const name = written.replace(/^::/, '').replace(/^(?:cuda::)?std::/, '');
  if (Object.hasOwn(names, name)) return names[name] ?? null;
  const fixed = /^(?:cu)?(u?)int(?:_(?:fast|least))?(8|16|32|64)_t$/.exec(name);
  const bits = widths.get(fixed?.[2] ?? '');
  if (bits) return whole(bits, fixed?.[1] ? 'unsigned' : 'signed');
  const words = name.split(' ');
  if (!words.every((word) => /^(?:signed|unsigned|char|short|int|long|double)$/.test(word))) return null;
  if (words.includes('double')) return { bits: 64, kind: 'real', type: 'real' };
  const ofWords = words.includes('char') ? 8 : words.includes('short') ? 16 : words.includes('long') ? 64 : 32;
  return whole(ofWords, words.includes('unsigned') ? 'unsigned' : 'signed');
}

export function isNumberName(name: string): boolean {
  return storageNamed(name) !== null;
}

/** Of a whole number, `bool` and characters included. */
export function isWholeNumberName(name: string): boolean {
  const storage = storageNamed(name);
  return storage !== null && storage.kind !== 'real';
}

/** Of a whole number that sizes are written with: no truth value and no character. */
export function isCountName(name: string): boolean {
  const storage = storageNamed(name);
  return storage !== null && storage.kind !== 'real' && storage.bits > 8;
}

/** Of what type numbers of a type are calculated with, when they are stored in that very width; null for narrower ones and for what is no number. */
export function calculatedAs(name: string): NumberType | 'int' | null {
  const storage = storageNamed(name);
  if (!storage) return null;
  return storage.type ?? (storage.bits === 32 ? 'int' : null);
}
