/**
 * What is drawn or sent: plain data, computed once from the analysis, read by the panel, the HTML page and the server.
 * All positions are 1-based; all sizes are bytes; addresses are offsets from the graph's lowest address.
 */

import type { Range } from '../base/source-text.ts';
import type { WhatIf } from './what-if-change.ts';

/** A place in a file, ready to be shown. `file` is the path or URI that the analysis was given. */
export interface Place {
  readonly file: string;
  readonly range: Range;
}

export type NodeKind =
  | 'kernel'
  | 'memcpy'
  | 'memset'
  | 'host'
  | 'empty'
  | 'child'
  | 'eventRecord'
  | 'eventWait'
  | 'memAlloc'
  | 'memFree'
  | 'conditional'
  | 'semaphoreSignal'
  | 'semaphoreWait'
  | 'batchMemOp'
  | 'unknown';

export type AccessMode = 'read' | 'write' | 'readwrite' | 'unknown';

export interface SceneAccess {
  /** Index into `Scene.allocations`. */
  readonly allocation: number;
  readonly mode: AccessMode;
}

export interface SceneNode {
  /** Index within its graph, in creation order. */
  readonly id: number;
  readonly kind: NodeKind;
  readonly label: string;
  readonly place: Place;
  /** memAlloc: its size, null when the text does not determine it. */
  readonly bytes?: number | null;
  /** memAlloc and memFree: index into `Scene.allocations`. */
  readonly allocation?: number;
  readonly accesses: readonly SceneAccess[];
  readonly certainty: 'always' | 'sometimes';
  /** Captured nodes: the stream's name, which is the lane they are drawn in. */
  readonly stream?: string;
  /** child nodes: index into `Scene.graphs`. */
  readonly childGraph?: number;
  /** Indexes into `Scene.findings` that name this node. */
  readonly findings: readonly number[];
  /** The trace event that added it; absent for nodes of a clone. */
  readonly event?: number;
}

export interface SceneEdge {
  readonly from: number;
  readonly to: number;
  readonly certainty: 'always' | 'sometimes';
}

export interface SceneGraph {
  readonly id: number;
  readonly name: string;
  readonly built: 'explicit' | 'capture';
  readonly instantiated: boolean;
  readonly flags: readonly string[];
  /** The instantiation shown: its trace event and whether it frees automatically at the next launch. */
  readonly executable?: { readonly event: number; readonly autoFree: boolean };
  /** Result the driver would give the instantiation, `cudaSuccess` or an error's name. */
  readonly result: string;
  readonly place: Place;
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly SceneEdge[];
  /** Peak of what must be live at once, bytes (lower bound); null when sizes are unknown. */
  readonly peakLiveBytes: number | null;
  /** Bytes of address range that the driver uses for this graph; null when sizes are unknown. */
  readonly footprintBytes: number | null;
}

export interface SceneAllocation {
  readonly id: number;
  readonly name: string;
  readonly origin: 'graph' | 'stream' | 'device' | 'host' | 'unknown';
  readonly bytes: number | null;
  readonly place: Place;
  /** Owning graph, for graph allocations. */
  readonly graph?: number;
  /** Offset from the graph's lowest address as the driver model predicts it; null when not known. */
  readonly offset: number | null;
  /** 0..11: the palette entry, the same in every pane. */
  readonly colour: number;
}

export interface SceneWitnessStep {
  readonly place: Place;
  readonly message: string;
  /** Node of the graph named, when the step is one. */
  readonly graph?: number;
  readonly node?: number;
}

export interface SceneFinding {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'hint' | 'info';
  readonly certainty: 'always' | 'sometimes';
  readonly message: string;
  readonly place: Place;
  readonly related: readonly { readonly role: string; readonly message: string; readonly place: Place }[];
  readonly witness: readonly SceneWitnessStep[];
}

/** One stream, or the host, drawn as a lane. */
export interface SceneLane {
  readonly id: number;
  readonly name: string;
  readonly kind: 'host' | 'stream';
}

/** One call the host makes, in program order: the story, and the cursor's steps. */
export interface SceneOperation {
  readonly id: number;
  /** The trace event it came from. */
  readonly event?: number;
  /** API name such as `cudaGraphLaunch`, or `kernel<<<>>>`. */
  readonly op: string;
  readonly label: string;
  /** Index into `Scene.lanes`. */
  readonly lane: number;
  readonly place: Place;
  /** Graph launched, uploaded, instantiated or trimmed. */
  readonly graph?: number;
  readonly stream?: string;
  /** 1-based count of launches of that executable. */
  readonly nth?: number;
  /** Operations this one waits for across lanes (indexes into `Scene.operations`). */
  readonly waitsFor: readonly number[];
  readonly result: string;
  /** The four attributes of graph memory after the call, bytes. */
  readonly used: number;
  readonly usedHigh: number;
  readonly reserved: number;
  readonly reservedHigh: number;
  /** Bytes mapped by this call. */
  readonly remapped: number;
  /** Why memory had to be mapped. */
  readonly reason?: string;
  /** Allocations that are live after this call (indexes into `Scene.allocations`). */
  readonly live: readonly number[];
  readonly findings: readonly number[];
}

/** A 32 MiB block of physical memory and which graphs map it, step by step. */
export interface SceneBlock {
  readonly id: number;
  /** Bytes: 33,554,432. */
  readonly bytes: number;
  /** Who maps it from which step on: `graph` null means reserved but mapped by none, or released. */
  readonly holders: readonly {
    readonly fromStep: number;
    readonly toStep: number;
    readonly graphs: readonly number[];
    /** Offset in the graph's range, per graph, of the 32 MiB it backs. */
    readonly offsets: readonly number[];
  }[];
}

/** A size (or count) that the text does not determine; the person may set it. */
export interface SceneSymbol {
  readonly name: string;
  readonly value: number | null;
  readonly place: Place;
}

export interface SceneGap {
  readonly kind: string;
  readonly name: string;
  readonly place: Place;
}

/** A stream that a launch could go into. */
export interface SceneStream {
  readonly handle: number;
  readonly name: string;
  /** The trace event that made it; -1 for streams that were there before. */
  readonly event: number;
}

export interface Scene {
  readonly version: 1;
  readonly file: string;
  readonly entry: string;
  readonly entries: readonly string[];
  /** Driver profile and how sure it is: `{name: '13.0', estimate: false}`. */
  readonly driver: { readonly name: string; readonly estimate: boolean };
  readonly graphs: readonly SceneGraph[];
  readonly allocations: readonly SceneAllocation[];
  readonly lanes: readonly SceneLane[];
  readonly operations: readonly SceneOperation[];
  readonly blocks: readonly SceneBlock[];
  readonly findings: readonly SceneFinding[];
  readonly gaps: readonly SceneGap[];
  /** Loops of which only the first rounds are shown, because the others ask the same of CUDA. */
  readonly shortened?: readonly Place[];
  readonly symbols: readonly SceneSymbol[];
  readonly peak: { readonly used: number; readonly reserved: number };
  readonly streams?: readonly SceneStream[];
  /** Present when the scene shows the program with changes that are not in its text. */
  readonly whatIf?: WhatIf;
}
