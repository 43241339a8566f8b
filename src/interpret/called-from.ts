/** Where in the program that happens what stands in a macro's body, or what a library's class does. */

import { isLibraryFile } from '../base/library-files.ts';
import { type Span, spanEncloses } from '../base/span.ts';
import type { Frame } from '../trace/frame.ts';
import type { World } from './world.ts';

export interface CalledFrom extends Frame {
  /** The calls that lead there. */
  readonly frames: readonly Frame[];
}

/**
 * The call of the program that leads to `span` in a file that stands for a library's; null for what stands in the program itself.
 * An object that ends by itself does so behind the statement that was run last.
 */
export function calledFrom(frames: readonly Frame[], span: Span): CalledFrom | null {
  if (!isLibraryFile(span.file)) return null;
  for (let at = frames.length - 1; at >= 0; at--) {
    const frame = frames[at]!;
    const { statement } = frame;
    const before = frames.slice(0, at);
    if (!isLibraryFile(frame.call.file)) return { ...frame, frames: before };
    if (isLibraryFile(statement.file)) continue;
    const behind = { ...statement, start: statement.end };
    return { name: frame.name, call: behind, statement: behind, frames: before };
  }
  return null;
}

/** The calls that stand in the program: a container calls the program's own allocator where the program calls the container. */
export function framesInText(frames: readonly Frame[]): readonly Frame[] {
  return frames.some(({ call }) => isLibraryFile(call.file))
    ? frames.filter(({ call }) => !isLibraryFile(call.file))
    : frames;
}

/** What stands in a macro's body happens where the macro is used. */
export function placeInText({ macroDepth, statement }: World, span: Span): Span {
  return macroDepth > 0 && !spanEncloses(statement, span) ? statement : span;
}
