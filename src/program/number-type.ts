/** Of what type numbers are, as far as it matters when they are calculated with, or told apart. */

/** Of what type a number is that is narrower than an `int`: it is one when it is calculated with. */
export type NarrowType = 'bool' | 'char' | 'i8' | 'u8' | 'i16' | 'u16';

/** Of what type a number is; none is an `int`. */
export type NumberType = NarrowType | 'u32' | 'i64' | 'u64' | 'float' | 'real';
