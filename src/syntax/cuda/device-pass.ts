/**
 * nvcc reads a file once for the host and once for the device, and only the device's pass has `__CUDA_ARCH__` (CUDA C++ Programming Guide,
 * "__CUDA_ARCH__"). What we read is the host's pass, with kernels and device functions as the device's pass has them.
 */

import type { MacroDefinition } from '../../program/macro-definition.ts';
import { someOpenBrace } from './scan.ts';

/** What `__CUDA_ARCH__` is where nobody says so: compute capability 9.0. */
export const deviceArchitecture = '900';

/** The name, which no program has, of a macro that only the device's pass has, or has otherwise. */
export function onDevice(name: string): string {
  return `__CUDA_ARCH__ ${name}`;
}

/** Whether the device's pass may see something else in a text than the host's. */
export function hasDevicePass(text: string, known: ReadonlyMap<string, MacroDefinition>): boolean {
  if (text.includes('__CUDA_ARCH__')) return true;
  const mark = onDevice('');
  for (const name of known.keys()) if (name.startsWith(mark)) return true;
  return false;
}

/** Characters in front of a directive that are searched for the function around it. */
const searched = 60_000;

/** Whether what stands behind `before` lies in the body of a kernel, or of a function for the device only. */
export function isInDeviceCode(before: string, macros: ReadonlyMap<string, MacroDefinition>): boolean {
  return someOpenBrace(before, before.length - searched, (brace) => isDeviceHead(before, brace, macros));
}

/**
 * Whether the branch of `#if` that begins at `start` defines functions for the device, and its group nothing for both: a helper for newer
 * devices, or one version of it for each.
 */
export function isForDevice(text: string, start: number): boolean {
  const group = restOfGroup(text, start);
  const branch = /^[ \t]*#[ \t]*el/m.exec(group)?.index ?? group.length;
  return (
    /\b__(?:device|global)__\b/.test(group.slice(0, branch)) &&
    !/\b__host__\b|^\s*#\s*(?:define|include)\b/m.test(group)
  );
}

/** From `start` to the `#endif` of the group that is open there. */
function restOfGroup(text: string, start: number): string {
  const directive = /^[ \t]*#[ \t]*(if|endif)/gm;
  directive.lastIndex = start;
  let depth = 1;
  for (let found = directive.exec(text); found; found = directive.exec(text)) {
    depth += found[1] === 'if' ? 1 : -1;
    if (depth === 0) return text.slice(start, found.index);
  }
  return text.slice(start);
}

/** Characters that the head of a function has at most. */
const longestHead = 2_000;

function isDeviceHead(text: string, brace: number, macros: ReadonlyMap<string, MacroDefinition>): boolean {
  let start = brace;
  while (start > 0 && brace - start < longestHead && !';{}'.includes(text[start - 1]!)) start--;
  const head = text.slice(start, brace).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ' ');
  const words = (head.match(/[A-Za-z_]\w*/g) ?? []).flatMap((word) => {
    const macro = macros.get(word);
    return macro ? [word, ...(macro.body.match(/[A-Za-z_]\w*/g) ?? [])] : [word];
  });
  return words.includes('__global__') || (words.includes('__device__') && !words.includes('__host__'));
}
