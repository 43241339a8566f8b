/**
 * Which calls of CUDA in a file were interpreted, and why the others were not.
 *
 * Silence about a call means something only when the call was seen. The calls are counted in the text, by name, apart from
 * what the interpreter believes to have read.
 */

import type { Gap } from '../base/finding.ts';
import { type Span, spanEncloses } from '../base/span.ts';
import type { SpanSet } from '../base/span-set.ts';
import type { FunctionDefinition, Module } from '../program/program.ts';

/**
 * `interpreted`: run on some path, and understood. `gap`: run, but something about it was not understood. `notRun`: in a
 * function that was entered, on a path that was not taken. `notEntered`: in a function that nothing entered. `unread`:
 * outside every function that was read. `inactive`: under an `#if` that is off, or in a macro that nothing uses.
 */
export type CallState = 'interpreted' | 'gap' | 'notRun' | 'notEntered' | 'unread' | 'inactive';

export interface CallSite {
  readonly name: string;
  /** Of the name. */
  readonly span: Span;
  readonly state: CallState;
}

/** Calls that build, launch or order work on the device, or manage memory in its order; and kernel launches. */
const callPattern =
  /R"([^()\\\s]{0,16})\([\s\S]*?\)\1"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|\b((?:cuda|cu)(?:Graph(?!ics)|Stream|Event|Launch|DeviceGraph|UserObject|ThreadExchangeStreamCapture|MemPool|Mem(?:cpy|set|Prefetch)\w*Async|MallocAsync|FreeAsync|MallocFromPoolAsync|MemAllocAsync|MemFreeAsync|MemAllocFromPoolAsync)\w*)\s*\(|<<</g;

/**
 * All such calls of a file's own text, in order. `called` are the spans of the calls that ran. What the program itself defines
 * under a name like CUDA's is no call of CUDA: `cudaGraphsManual(…)`, `cuGraphAddNode_f(…)` with a body that looks the entry up.
 */
export function callSites(
  modules: readonly Module[],
  text: string,
  called: SpanSet,
  entered: SpanSet,
  gaps: readonly Gap[],
): readonly CallSite[] {
  const module = modules[0]!;
  const defined = definedNames(modules);
  const own = [...called]
    .filter((span) => span.file === module.file)
    .sort((first, second) => first.start - second.start);
  const gapSpans = gaps.filter((gap) => gap.kind !== 'budget' && gap.span.file === module.file).map((gap) => gap.span);
  const definitions = [...module.functions, ...module.classes.flatMap((each) => each.methods)].filter(
    (each) => each.body,
  );
  const sites: CallSite[] = [];
  const pattern = new RegExp(callPattern);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const name = match[2] ?? (match[0] === '<<<' ? '<<<' : null);
    if (name === null || name.endsWith('_t') || name === 'cudaGraphSetConditional' || isDeclaration(text, match.index))
      continue;
    if (defined.has(name)) continue;
    const span = { file: module.file, start: match.index, end: match.index + name.length };
    const around = innermost(definitions, span);
    if (around?.isKernel || around?.isDevice) continue;
    sites.push({ name, span, state: stateOf(module, text, span, around, own, entered, gapSpans) });
  }
  return sites;
}

function stateOf(
  module: Module,
  text: string,
  span: Span,
  around: FunctionDefinition | null,
  called: readonly Span[],
  entered: SpanSet,
  gaps: readonly Span[],
): CallState {
  if (called.some((each) => spanEncloses(each, span)))
    return gaps.some((each) => spanEncloses(each, span)) ? 'gap' : 'interpreted';
  if (module.activeText[span.start] !== text[span.start]) return 'inactive';
  if (!around) return 'unread';
  return entered.has(around.span) ? 'notRun' : 'notEntered';
}

function innermost(definitions: readonly FunctionDefinition[], span: Span): FunctionDefinition | null {
  let best: FunctionDefinition | null = null;
  for (const each of definitions)
    if (spanEncloses(each.span, span) && (!best || each.span.start >= best.span.start)) best = each;
  return best;
}

function definedNames(modules: readonly Module[]): ReadonlySet<string> {
  return new Set(
    modules.flatMap(({ functions, classes, aliases }) => [
      ...functions.flatMap(({ name, body }) => (body ? [name] : [])),
      ...classes.map(({ name }) => name),
      ...aliases.keys(),
    ]),
  );
}

/** `cudaError_t cudaGraphLaunch(…)`, `Class::cudaFreeAsync(`: the name is declared here, or is somebody else's. */
function isDeclaration(text: string, at: number): boolean {
  const before = /([A-Za-z_]\w*|\S)\s*$/.exec(text.slice(Math.max(0, at - 80), at))?.[1] ?? '';
  if (/^[A-Za-z_]/.test(before)) return !/^(?:return|else|do|case|co_await|throw|and|or|not)$/.test(before);
  return before === '~' || before === '.' || text.slice(at - 2, at) === '->';
}
