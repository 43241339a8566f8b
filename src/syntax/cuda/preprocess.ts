/**
 * What a preprocessor would have done, without moving a single character.
 *
 * Directives, inactive branches of `#if`, and macros that expand to nothing or to specifiers are blanked with spaces of
 * the same length, so that every span stays true and the grammar sees code it can parse. Macro definitions are
 * collected; the interpreter expands them where they are used.
 *
 *     #if CUDART_VERSION >= 12000        ·······························
 *       f(a, b);                   ──▶     f(a, b);
 *     #else                              ·····
 *       f(a);                            ·······
 *     #endif                             ······
 */

import type { Include } from '../../program/module.ts';
import type { MacroDefinition } from '../../program/program.ts';
import { withBraces } from './brace-macros.ts';
import { ConditionalGroups } from './conditional-groups.ts';
import { deviceArchitecture, hasDevicePass, isForDevice, isInDeviceCode, onDevice } from './device-pass.ts';
import { isInBraces, isIncludedAgain, type PartTexts, partAt, withOwnMacros } from './included-parts.ts';
import { type KeptMacros, keepMacro } from './kept-macros.ts';
import {
  type PackDirective,
  type Packing,
  packDirective,
  packingsOf,
  packOperators,
  withoutPragmas,
} from './packing.ts';
import { evaluateCondition } from './preprocessor-condition.ts';
import { type RetiredMacro, retire } from './retired-macros.ts';
import { blank } from './scan.ts';

export interface Preprocessed {
  readonly text: string;
  /** Of the text as it was: mending may add braces behind it. */
  readonly length: number;
  readonly macros: ReadonlyMap<string, MacroDefinition>;
  readonly retired: readonly RetiredMacro[];
  readonly includes: readonly Include[];
  readonly packings: readonly Packing[];
  /** Behind the last directive that is recorded above. */
  readonly recordedTo: number;
  /** The device's pass may see something else. */
  readonly hasDevicePass: boolean;
  /** Something in it may reach over lines that are not directives: `_Pragma`, `va_arg`. */
  readonly reachesOverLines: boolean;
  /** Macros by whose names it was asked for one, or one was defined: others that are known from elsewhere change nothing in the text. */
  readonly asked: ReadonlySet<string>;
  /** It may have been asked for any macro besides. */
  readonly asksForAll: boolean;
}

/** Symbols that are defined before the first line, with their values: a current CUDA, host compilation. */
export const defaultDefines: ReadonlyMap<string, string> = new Map([
  ['__CUDACC__', '1'],
  ['__NVCC__', '1'],
  ['__cplusplus', '201703'],
  ['CUDART_VERSION', '13000'],
  ['CUDA_VERSION', '13000'],
  ['__CUDACC_VER_MAJOR__', '13'],
  ['__CUDACC_VER_MINOR__', '0'],
  ['__linux__', '1'],
  ['__x86_64__', '1'],
  ['__GNUC__', '12'],
  // What is asked with them is not there, but for headers that are known (`preprocessor-condition.ts`).
  ...['include', 'builtin', 'attribute', 'cpp_attribute', 'feature'].map((each) => [`__has_${each}`, '0'] as const),
]);

const isRecorded = /^(?:define|undef|include|pragma)$/;

const noParts: PartTexts = new Map();

/** Preprocesses `text`. `known` are macros of included files, `parts` files that are included inside braces. Unbalanced directives are tolerated. */
export function preprocess(
  file: string,
  text: string,
  defines: ReadonlyMap<string, string> = defaultDefines,
  known: ReadonlyMap<string, MacroDefinition> = new Map(),
  parts: PartTexts = noParts,
): Preprocessed {
  const macros = new Map<string, MacroDefinition>(known);
  const retired: RetiredMacro[] = [];
  const includes: Include[] = [];
  const reachesOverLines = text.includes('_Pragma') || text.includes('va_arg');
  if (!text.includes('#') && known.size === 0) {
    const nothing = { packings: [], recordedTo: 0, hasDevicePass: false, reachesOverLines, asked: new Set<string>() };
    const asksForAll = reachesOverLines || text.includes('__CUDA_ARCH__');
    return { text, length: text.length, macros, retired, includes, ...nothing, asksForAll };
  }
  const isTwofold = hasDevicePass(text, known);
  const packs: PackDirective[] = [];
  const kept: KeptMacros = new Map();
  const out: string[] = [];
  let position = 0;
  let recordedTo = 0;
  let asksForAll = false;
  const readsDevice = (): boolean => {
    asksForAll = true;
    return isForDevice(text, position) || isInDeviceCode(joined(out), macros);
  };
  const asked = new Set<string>();
  const groups = new ConditionalGroups(isTwofold, readsDevice);
  const lookup = (symbol: string, isOnDevice: boolean): string | undefined => {
    asked.add(symbol);
    return (
      defines.get(symbol) ??
      (isOnDevice ? macros.get(onDevice(symbol))?.body : undefined) ??
      macros.get(symbol)?.body ??
      (isOnDevice && symbol === '__CUDA_ARCH__' ? deviceArchitecture : undefined) ??
      (assumedGate.test(symbol) && !text.includes(`define ${symbol}`) ? '1' : undefined)
    );
  };
  const parametersOf = (symbol: string): readonly string[] | null =>
    defines.has(symbol) ? null : (macros.get(symbol)?.parameters ?? null);
  let inBlockComment = false;
  const hash = /^[ \t]*#/gm;
  let nextHash = -1;
  let nextComment = -1;
  while (position < text.length) {
    if (!inBlockComment) {
      // Most lines have neither a directive nor a block comment: they go over as they are.
      if (nextHash < position) {
        hash.lastIndex = position;
        nextHash = hash.exec(text)?.index ?? text.length;
      }
      if (nextComment < position) {
        const found = text.indexOf('/*', position);
        nextComment = found < 0 ? text.length : found;
      }
      const plainEnd = nextComment < nextHash ? text.lastIndexOf('\n', nextComment) + 1 : nextHash;
      if (plainEnd > position) {
        const plain = text.slice(position, plainEnd);
        out.push(groups.active ? plain : blank(plain));
        position = plainEnd;
        continue;
      }
    }
    // What stands in a block comment is of no account.
    const closing: number = inBlockComment ? text.indexOf('*/', position) : position;
    const line = { start: position, end: closing < 0 ? text.length : endOfLogicalLine(text, closing) };
    position = line.end;
    const raw = text.slice(line.start, line.end);
    const directive = inBlockComment ? null : /^\s*#\s*([a-z_]+)?([\s\S]*)$/.exec(raw);
    if (!directive) {
      const behind: number = inBlockComment ? closing + 2 - line.start : 0;
      inBlockComment = closing < 0 || endsInBlockComment(behind === 0 ? raw : raw.slice(behind));
      out.push(groups.active ? raw : blank(raw));
      continue;
    }
    const name = directive[1] ?? '';
    if (isRecorded.test(name)) recordedTo = line.end;
    const rest = stripComments(withoutJoints(directive[2] ?? ''));
    const holds = (isOnDevice: boolean): boolean =>
      evaluateCondition(rest, (symbol) => lookup(symbol, isOnDevice), parametersOf);
    const isDefined = (isOnDevice: boolean): boolean =>
      lookup(rest.trim().split(/\s/)[0] ?? '', isOnDevice) !== undefined;
    const { active } = groups;
    if (name === 'if') groups.begin(holds);
    else if (name === 'ifdef') groups.begin(isDefined);
    else if (name === 'ifndef') groups.begin((isOnDevice) => !isDefined(isOnDevice));
    else if (name === 'elif') groups.other(holds);
    else if (name === 'elifdef') groups.other(isDefined);
    else if (name === 'elifndef') groups.other((isOnDevice) => !isDefined(isOnDevice));
    else if (name === 'else') groups.other(() => true);
    else if (name === 'endif') groups.end();
    else if (!active) {
      // What the device's pass alone defines is for its own conditions.
      if (groups.activeOnDevice && name === 'define') define(file, line.start, raw, macros, onDevice);
    } else if (name === 'define') {
      const defined = /^\s*(\w*)/.exec(rest)?.[1] ?? '';
      asked.add(defined);
      if (groups.activeOnDevice) macros.delete(onDevice(defined));
      retire(retired, macros, defined, file, line.start);
      define(file, line.start, raw, macros);
    } else if (name === 'undef') {
      const gone = rest.trim();
      asked.add(gone);
      retire(retired, macros, gone, file, line.start);
      macros.delete(gone);
      if (groups.activeOnDevice) macros.delete(onDevice(gone));
    } else if (name === 'include') {
      const target = includedFile.exec(rest) ?? includedFile.exec(macros.get(rest.trim())?.body ?? '');
      const span = { file, start: line.start, end: line.end };
      if (target?.[1] !== undefined) {
        const isPart = isInBraces(joined(out));
        const isRepeated = !isPart && isIncludedAgain(text, target[1]);
        includes.push({
          name: target[1],
          isAngled: false,
          span,
          ...(isPart ? { isPart } : {}),
          ...(isRepeated ? { isRepeated } : {}),
        });
        const part = parts.get(target[1]);
        if (part !== undefined) {
          const number = includes.length;
          out.push(putIn(file, line, part, { raw, defines, macros, retired, number, isItem: !isPart }));
          continue;
        }
      }
      if (target?.[2] !== undefined) includes.push({ name: target[2], isAngled: true, span });
    } else if (name === 'pragma') {
      if (rest.includes('_macro')) asksForAll = true;
      packs.push(...packDirective(rest, line.start));
      keepMacro(kept, retired, macros, rest, file, line.start);
    }
    out.push(blank(raw));
  }
  const written = out.join('');
  const plain = withBraces(written, macros);
  packs.push(...packOperators(plain, macros));
  return {
    text: withoutPragmas(withoutArgumentTypes(plain)),
    length: text.length,
    macros,
    retired,
    includes,
    packings: packingsOf(packs),
    recordedTo,
    hasDevicePass: isTwofold,
    reachesOverLines: reachesOverLines || plain !== written,
    asked,
    asksForAll,
  };
}

/** `"file.h"` or `<file.h>`, also as what a macro stands for. */
const includedFile = /^\s*(?:"([^"]+)"|<([^>]+\.[^>]+)>)/;

interface Around {
  readonly raw: string;
  readonly defines: ReadonlyMap<string, string>;
  readonly macros: Map<string, MacroDefinition>;
  readonly retired: RetiredMacro[];
  readonly number: number;
  /** It stands outside of all braces. */
  readonly isItem: boolean;
}

/** The directive as the use of a macro that stands for the file's text. What the file ends with `#undef` is gone behind it. */
function putIn(file: string, line: { start: number; end: number }, text: string, around: Around): string {
  const { raw, defines, macros, retired, number, isItem } = around;
  const inner = preprocess(file, text, defines, macros);
  const part = partAt(file, line.start, line.end, number, withOwnMacros(inner, macros));
  for (const name of [...macros.keys()]) {
    if (inner.macros.has(name)) continue;
    retire(retired, macros, name, file, line.end);
    macros.delete(name);
  }
  for (const [name, macro] of inner.macros)
    if (macros.get(name) !== macro) macros.set(name, { ...macro, span: part.span, bodyStart: line.start });
  macros.set(part.name, part);
  const use = isItem ? `${part.name};` : part.name;
  return use + blank(raw.slice(use.length));
}

/** `va_arg(list, float *)`: what type the argument has says nothing here, and is no expression. */
function withoutArgumentTypes(text: string): string {
  if (!text.includes('va_arg')) return text;
  return text.replace(
    /(\bva_arg\s*\([^,()]*)(,[^()]*)(?=\))/g,
    (_whole, list: string, type: string) => list + blank(type),
  );
}

/** Switches by which projects turn their CUDA code on, defined by their build: `USE_CUDA`, `KOKKOS_ENABLE_CUDA`. */
const assumedGate =
  /(?:^|_)(?:USE|ENABLE|WITH|HAVE|HAS|BUILD|USING|SUPPORTS?)_?(?:\w+_)?CUDA(?:_|$)|(?:^|_)CUDA_?(?:ENABLED?|SUPPORT|FOUND|AVAILABLE|GRAPHS?)$/;

/** Behind the line that begins at `start`, with the lines that a `\` at its end joins to it. */
function endOfLogicalLine(text: string, start: number): number {
  let end = start;
  for (;;) {
    const newline = text.indexOf('\n', end);
    if (newline < 0) return text.length;
    end = newline + 1;
    const before = text[newline - 1] === '\r' ? newline - 2 : newline - 1;
    if (before < start || text[before] !== '\\') return end;
  }
}

/** In one line what `\` joins. */
function withoutJoints(text: string): string {
  return text.includes('\\') ? text.replace(/\\\r?\n/g, (match) => ' '.repeat(match.length)) : text;
}

/** Blanks comments; what looks like one in a literal, `"https://…"`, stays. */
function stripComments(text: string): string {
  if (!text.includes('/')) return text;
  return text.replace(literalOrComment, (match) => (match.startsWith('/') ? ' '.repeat(match.length) : match));
}

const literalOrComment = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\.[^'\n]{0,8}|[^'\\\n])'|\/\*[\s\S]*?\*\/|\/\/.*$/gm;

/** What was put out so far as one text, which the list then has in place of its parts. */
function joined(out: string[]): string {
  const whole = out.join('');
  out.splice(0, out.length, whole);
  return whole;
}

function endsInBlockComment(line: string): boolean {
  let state = false;
  for (let index = 0; index < line.length; index++) {
    if (state) {
      if (line[index] === '*' && line[index + 1] === '/') {
        state = false;
        index++;
      }
    } else if (line[index] === '/' && line[index + 1] === '/') return false;
    else if (line[index] === '/' && line[index + 1] === '*') {
      state = true;
      index++;
    } else if (line[index] === '"' || line[index] === "'") {
      const quote = line[index];
      for (index++; index < line.length && line[index] !== quote; index++) if (line[index] === '\\') index++;
    }
  }
  return state;
}

function define(
  file: string,
  lineStart: number,
  raw: string,
  macros: Map<string, MacroDefinition>,
  nameFor: (name: string) => string = (name) => name,
): void {
  const match = /^\s*#\s*define\s+([A-Za-z_]\w*)(\(([^)]*)\))?/.exec(withoutJoints(raw));
  if (!match) return;
  const bodyStart = lineStart + match[0].length;
  const body = stripComments(withoutJoints(raw.slice(match[0].length))).trimEnd();
  const parameters =
    match[2] === undefined
      ? null
      : (match[3] ?? '')
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean);
  const name = nameFor(match[1]!);
  macros.set(name, {
    name,
    parameters,
    body: body.trim() === '' ? '' : body,
    span: { file, start: lineStart, end: lineStart + raw.length },
    bodyStart,
  });
}
