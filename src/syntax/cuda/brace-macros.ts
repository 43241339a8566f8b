/** `BEGIN … END`: macros that stand for a brace, or begin and end a namespace, which tells where functions, blocks and namespaces end. */

import type { MacroDefinition } from '../../program/program.ts';
import { blank } from './scan.ts';

const opening = /^\s*(?:(?:(?:inline\s+)?namespace(?:\s+[\w:]+)?|extern\s*"C")?\s*\{\s*)+$/;
const closing = /^[\s}]*\}\s*$/;

/** Whether a macro stands for nothing but braces, and what they begin. */
export function isOfBraces({ parameters, body }: MacroDefinition): boolean {
  return parameters === null && /[{}]\s*$/.test(body) && (opening.test(body) || closing.test(body));
}

/**
 * The text with the braces themselves; where namespaces have no room for their names, without them and what ends them. As it is where one
 * of a pair stands for more than that. No character moves.
 */
export function withBraces(text: string, macros: ReadonlyMap<string, MacroDefinition>): string {
  const bodies = new Map<string, string>();
  for (const macro of macros.values())
    if (isOfBraces(macro)) bodies.set(macro.name, macro.body.trim().replace(/\s+/g, ' '));
  if (bodies.size < 2) return text;
  let depth = 0;
  let hasRoom = true;
  let isNamed = true;
  const made = text.replace(new RegExp(`\\b(?:${[...bodies.keys()].join('|')})\\b`, 'g'), (name) => {
    const body = bodies.get(name)!;
    depth += body.split('{').length - body.split('}').length;
    if (body.length > name.length) hasRoom = false;
    if (body.startsWith('{')) isNamed = false;
    return body.padEnd(name.length);
  });
  if (depth !== 0 || (!hasRoom && !isNamed)) return text;
  return hasRoom ? made : text.replace(new RegExp(`\\b(?:${[...bodies.keys()].join('|')})\\b`, 'g'), blank);
}
