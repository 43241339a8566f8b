/**
 * What a program asks about where it stands: `__LINE__` is the line that it stands on, or the line of the user's statement where a macro's
 * body says it; `__func__` is the name of the function.
 */

import { createSourceText, positionAt, type SourceText } from '../../base/source-text.ts';
import type { Span } from '../../base/span.ts';
import type { Module } from '../../program/module.ts';
import { placeInText } from '../called-from.ts';
import { lastPart } from '../program-table.ts';
import { numberValue, unknownValue, type Value } from '../value.ts';
import type { World } from '../world.ts';

/** What is blanked in a module's text keeps its length and its lines. */
const texts = new WeakMap<Module, SourceText>();

/** The number that `__LINE__` at `span` stands for. */
export function lineNumber(world: World, span: Span): Value {
  const { file, start } = placeInText(world, span);
  const module = world.program.modules.find((each) => each.file === file);
  if (!module) return unknownValue;
  const text = texts.get(module) ?? createSourceText(file, module.activeText);
  texts.set(module, text);
  return numberValue(positionAt(text, start).line);
}

/** The names that stand for the function's, and the calls that give it, or the file's. */
const namesOfFunction: ReadonlySet<string> = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__']);

/** The text that a name stands for; null for any other name. */
export function functionNameBehind(world: World, name: string): Value | null {
  return namesOfFunction.has(name) ? nameOfFunction(world) : null;
}

/** The innermost function that runs. */
export function nameOfFunction({ frames }: World): Value {
  const name = lastPart(frames.at(-1)?.name ?? 'main');
  return { kind: 'string', value: name, whole: name };
}
