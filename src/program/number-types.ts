/** The arithmetic types of the language and its library by the names that they are written with: what each can hold. */

/** Of what type a number is that is narrower than an `int`: it is one when it is calculated with. */
export type NarrowType = 'bool' | 'char' | 'i8' | 'u8' | 'i16' | 'u16';

/** Of what type a number is; none is an `int`. */
export type NumberType = NarrowType | 'u32' | 'i64' | 'u64' | 'float' | 'real';

/** How a type stores numbers. */
export interface Storage {
  readonly bits: number;
  readonly kind: 'signed' | 'unsigned' | 'real';
  /** Of what type its values are. */
  readonly type: NumberType | undefined;
}

const names: Readonly<Record<string, Storage>> = {
  bool: { bits: 1, kind: 'unsigned', type: 'bool' },
  char: { bits: 8, kind: 'signed', type: 'char' },
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

function whole(bits: 8 | 16 | 32 | 64, kind: 'signed' | 'unsigned'): Storage {
  const isSigned = kind === 'signed';
  switch (bits) {
    case 8:
      return { bits, kind, type: isSigned ? 'i8' : 'u8' };
    case 16:
      return { bits, kind, type: isSigned ? 'i16' : 'u16' };
    case 32:
      return { bits, kind, type: isSigned ? undefined : 'u32' };
    case 64:
      return { bits, kind, type: isSigned ? 'i64' : 'u64' };
  }
}

const widths: Readonly<Record<string, 8 | 16 | 32 | 64>> = { '8': 8, '16': 16, '32': 32, '64': 64 };

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
  const field = / : (\d+)$/.exec(name);
  if (field) return bitField(name.slice(0, field.index), Number(field[1]));
  const fixed = /^(?:cu)?(u?)int(?:_(?:fast|least))?(8|16|32|64)_t$/.exec(name);
  if (fixed) return whole(widths[fixed[2]!]!, fixed[1] ? 'unsigned' : 'signed');
  const words = name.split(' ');
  if (!words.every((word) => /^(?:signed|unsigned|char|short|int|long|double)$/.test(word))) return null;
  if (words.includes('double')) return { bits: 64, kind: 'real', type: 'real' };
  const bits = words.includes('char') ? 8 : words.includes('short') ? 16 : words.includes('long') ? 64 : 32;
  return whole(bits, words.includes('unsigned') ? 'unsigned' : 'signed');
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

/** The name of the type of a member that has only so many bits: `unsigned : 3`. */
export function bitFieldName(name: string, bits: number): string {
  return `${name} : ${bits}`;
}

/** How many bits there are in the unit that such a member lies in, by that name; null where it is none. */
export function bitFieldUnit(name: string): number | null {
  const { bits } = storageNamed(name.replace(/ : \d+$/, '')) ?? {};
  return bits === undefined ? null : Math.max(8, bits);
}

/** What fits into an `int` is one when it is calculated with. */
function bitField(name: string, bits: number): Storage | null {
  const whole = storageNamed(name);
  if (!whole || whole.kind === 'real' || whole.type === 'bool') return whole;
  const isInt = bits < 32 || (bits === 32 && whole.kind === 'signed');
  return {
    bits: Math.min(bits, whole.bits),
    kind: whole.kind,
    type: isInt ? undefined : bits === 32 ? 'u32' : whole.type,
  };
}

/** Of what type the numbers of a type are, by its name; null for what is no number. */
export function numbersOf(name: string): NumberType | 'int' | null {
  const storage = storageNamed(name);
  return storage && (storage.type ?? 'int');
}

/** Of what type a number is that is calculated with: those narrower than an `int` are one. */
export function promoted(type: NumberType | undefined): NumberType | undefined {
  switch (type) {
    case 'bool':
    case 'char':
    case 'i8':
    case 'u8':
    case 'i16':
    case 'u16':
      return undefined;
    default:
      return type;
  }
}
