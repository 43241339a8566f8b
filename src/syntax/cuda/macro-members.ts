/**
 * Parameters of macros behind a dot or an arrow: `#define DRIVER(call) check(driver.call)`. A single name there is a member's. What
 * is more than that, `DRIVER(cuInit(0))`, belongs to the object that the macro names, and is read as text.
 */

import { Attached } from '../../base/attached.ts';
import type { MacroDefinition } from '../../program/program.ts';
import { splitArguments } from './expand-macro.ts';
import { closingBracket } from './scan.ts';

type Macros = ReadonlyMap<string, MacroDefinition>;

/** Macros in macros that are followed. */
const deepest = 8;

/** Whether one of the arguments goes on behind the name of a member that the macro asks for. */
export function takesMoreThanMember(macros: Macros, macro: MacroDefinition, given: readonly string[]): boolean {
  for (let index = 0; index < given.length; index++)
    if (!/^\w*$/.test(given[index]!) && isMember(macros, macro, index, 0)) return true;
  return false;
}

/** Whether what is given in that place becomes a member there, or in a macro that it is handed on to. */
function isMember(macros: Macros, macro: MacroDefinition, index: number, depth: number): boolean {
  const places = placesOf(macro);
  const place = places[Math.min(index, places.length - 1)];
  if (!place || (index >= places.length && !place.isRest)) return false;
  if (place.isMember) return true;
  return place.handedOn.some(({ name, at }) => {
    const inner = depth < deepest ? macros.get(name) : undefined;
    return inner?.parameters != null && isMember(macros, inner, at, depth + 1);
  });
}

/** What the body of a macro does with a parameter. */
interface ParameterPlace {
  /** `...` */
  readonly isRest: boolean;
  readonly isMember: boolean;
  /** The macros, or functions, that are given it as it is. */
  readonly handedOn: readonly { readonly name: string; readonly at: number }[];
}

const known = new Attached<MacroDefinition, readonly ParameterPlace[]>();

function placesOf(macro: MacroDefinition): readonly ParameterPlace[] {
  let places = known.get(macro);
  if (!places) {
    const uses = usesIn(macro.body);
    places = (macro.parameters ?? []).map((parameter) => {
      const isRest = parameter.endsWith('...');
      const name = isRest ? parameter.slice(0, -3) || '__VA_ARGS__' : parameter;
      return {
        isRest,
        isMember: /^\w+$/.test(name) && new RegExp(`(?:(?<!\\.\\s*)\\.|->)\\s*${name}\\b(?!\\s*##)`).test(macro.body),
        handedOn: uses.filter((use) => use.given === name),
      };
    });
    known.set(macro, places);
  }
  return places;
}

/** Every argument of what looks like a call. */
function usesIn(body: string): readonly { readonly name: string; readonly at: number; readonly given: string }[] {
  const found: { name: string; at: number; given: string }[] = [];
  const pattern = /\b([A-Za-z_]\w*)\s*\(/g;
  for (let use = pattern.exec(body); use; use = pattern.exec(body)) {
    const [, name = ''] = use;
    const close = closingBracket(body, pattern.lastIndex - 1);
    if (close < 0) break;
    const given = splitArguments(body.slice(pattern.lastIndex, close));
    for (let at = 0; at < given.length; at++) found.push({ name, at, given: given[at]! });
  }
  return found;
}
