/** Pieces of a program that are half typed: what they say is not meant. Of a body it is known once it has been read. */

import type { Module } from './program.ts';

/** By {@link FunctionBody.identity}. */
const bodies = new WeakSet<object>();

export function noteHalfTyped(body: object): void {
  bodies.add(body);
}

export function isBodyHalfTyped(body: object): boolean {
  return bodies.has(body);
}

/** The pieces of a file that are, by the first name that each defines. */
export function halfTypedIn({ file, items, isHalfTyped: isWholly }: Module): readonly string[] {
  if (items === null) return isWholly ? [file] : [];
  const halfTyped = items.filter(({ isHalfTyped, body }) => isHalfTyped || (body !== null && isBodyHalfTyped(body)));
  return halfTyped.map(({ names }) => `${file} ${names[0] ?? ''}`);
}
