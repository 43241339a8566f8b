/** The road from text to findings and pictures, one phase a line. */

import type { Finding, Fix, Gap } from './base/finding.ts';
import type { SourceText } from './base/source-text.ts';
import type { Span } from './base/span.ts';
import type { Scene } from './scene/scene.ts';

export type Language = 'cuda' | 'typescript';

/** What the engine needs from outside: the grammars, read by whoever runs it (a file, a fetch, a test). */
export type WasmName = 'web-tree-sitter.wasm' | 'tree-sitter-cuda.wasm' | 'tree-sitter-typescript.wasm';
export type WasmLoader = (name: WasmName) => Promise<Uint8Array>;

export interface Engine {
  analyse(input: AnalysisInput): Analysis;
}

export interface AnalysisInput {
  /** Path or URI; comes back in every span. */
  readonly file: string;
  readonly text: string;
  readonly language: Language;
  /** Reads a file named by `#include "…"` or `import`, relative to `from`; undefined when there is none. */
  readonly readInclude?: (name: string, from: string) => { readonly file: string; readonly text: string } | undefined;
  /** Contents of users' model files (JSON), in order. */
  readonly models?: readonly { readonly file: string; readonly text: string }[];
  /** Polled between phases and inside loops; when it turns true, `analyse` throws `Cancelled`. */
  readonly isCancelled?: () => boolean;
}

/** One line above a function that builds graphs. */
export interface FunctionSummary {
  readonly name: string;
  /** The function's name in its definition. */
  readonly span: Span;
  readonly nodes: number;
  readonly graphs: number;
  readonly peakBytes: number | null;
  readonly findings: number;
}

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

export interface SceneOptions {
  /** Entry function; default `main`, else every uncalled function. */
  readonly entry?: string;
  /** Values for symbols the text does not determine. */
  readonly settings?: Readonly<Record<string, number>>;
}

export interface Analysis {
  readonly file: string;
  readonly status: 'ok' | 'partial' | 'quarantined';
  readonly findings: readonly Finding[];
  readonly gaps: readonly Gap[];
  /** Every file that took part, by the name its spans carry. */
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly functions: readonly FunctionSummary[];
  /** Repairs of a finding, each verified by re-analysing the edited text. Computed on demand. */
  fixes(finding: Finding): readonly Fix[];
  hover(offset: number): Hover | undefined;
  scene(options?: SceneOptions): Scene;
}

/** Loads the grammars once. Throws when a wasm file cannot be read or does not fit the runtime. */
export async function createEngine(load: WasmLoader): Promise<Engine> {
  await load('web-tree-sitter.wasm');
  return { analyse: analyseNothing };
}

function analyseNothing(input: AnalysisInput): Analysis {
  throw new Error(`not there yet: ${input.file}`);
}
