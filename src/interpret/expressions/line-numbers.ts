/** `__LINE__`: the line that it stands on, or the line of the user's statement where a macro's body says it. */

import { createSourceText, positionAt, type SourceText } from '../../base/source-text.ts';
import type { Span } from '../../base/span.ts';
import type { Module } from '../../program/module.ts';
import { placeInText } from '../called-from.ts';
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
