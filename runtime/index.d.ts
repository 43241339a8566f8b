/**
 * `graphmem/runtime`: CUDA's runtime API as TypeScript says it.
 *
 * The functions have CUDA's names and order of arguments, with two differences that hold everywhere: what CUDA writes
 * through a pointer is returned, and a list of dependencies is an array. A call that CUDA refuses throws.
 *
 * Handles are branded: a stream is no event, and a number is neither.
 */

declare const brand: unique symbol;

interface Handle<Name extends string> {
  readonly [brand]: Name;
}

/** A queue of device work. */
export type Stream = Handle<'Stream'>;
/** A point in the work of a stream that other streams, the host and graphs can wait for. */
export type Event = Handle<'Event'>;
/** A graph under construction. */
export type Graph = Handle<'Graph'>;
/** A node of one graph. */
export type GraphNode = Handle<'GraphNode'>;
/** An instantiated graph, ready to be launched. */
export type GraphExec = Handle<'GraphExec'>;
/** Memory of the device. It has no type: kernels say what they read and write. */
export type DevicePointer = Handle<'DevicePointer'>;

/** What a kernel does: its name, and the memory it touches. */
export interface Kernel {
  /** The kernel's name, as it is shown in the graph. */
  readonly func: string;
  readonly gridDim?: number | readonly [number, number?, number?];
  readonly blockDim?: number | readonly [number, number?, number?];
  /** Memory that the kernel reads. */
  readonly reads?: readonly DevicePointer[];
  /** Memory that the kernel writes. */
  readonly writes?: readonly DevicePointer[];
}

/** What an allocation node allocates; on device 0 unless `device` says otherwise. */
export interface MemAllocParams {
  readonly bytesize: number;
  readonly device?: number;
}

/** What a memset node sets: `height` rows of `width` elements of `elementSize` bytes. */
export interface MemsetParams {
  readonly dst: DevicePointer;
  readonly value: number;
  readonly elementSize: 1 | 2 | 4;
  readonly width: number;
  readonly height: number;
}

export type MemcpyKind = number & { readonly [brand]?: 'MemcpyKind' };
export declare const cudaMemcpyHostToHost: MemcpyKind;
export declare const cudaMemcpyHostToDevice: MemcpyKind;
export declare const cudaMemcpyDeviceToHost: MemcpyKind;
export declare const cudaMemcpyDeviceToDevice: MemcpyKind;
export declare const cudaMemcpyDefault: MemcpyKind;

export type StreamFlags = number & { readonly [brand]?: 'StreamFlags' };
/** The stream waits for the legacy default stream, and that one for it. */
export declare const cudaStreamDefault: StreamFlags;
/** The stream takes no part in the order of the legacy default stream. */
export declare const cudaStreamNonBlocking: StreamFlags;

export type CaptureMode = number & { readonly [brand]?: 'CaptureMode' };
export declare const cudaStreamCaptureModeGlobal: CaptureMode;
export declare const cudaStreamCaptureModeThreadLocal: CaptureMode;
export declare const cudaStreamCaptureModeRelaxed: CaptureMode;

export type InstantiateFlags = number & { readonly [brand]?: 'InstantiateFlags' };
/** Each launch first frees what the launch before it left allocated. */
export declare const cudaGraphInstantiateFlagAutoFreeOnLaunch: InstantiateFlags;

/** The device's legacy default stream. */
export declare const cudaStreamLegacy: Stream;
/** The calling thread's default stream. */
export declare const cudaStreamPerThread: Stream;

/** Host memory: what a copy reads from or writes to. */
export type HostMemory = ArrayBufferView | ArrayBuffer;

// ── Graphs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An empty graph. */
export declare function cudaGraphCreate(flags?: number): Graph;

/** Ends the graph's life. Memory that its allocation nodes left allocated stays allocated. */
export declare function cudaGraphDestroy(graph: Graph): void;

/** A copy of a graph. Refused (cudaErrorNotSupported) for graphs with memory nodes. */
export declare function cudaGraphClone(graph: Graph): Graph;

/** Adds a node that does nothing; to join branches. */
export declare function cudaGraphAddEmptyNode(graph: Graph, dependencies: readonly GraphNode[]): GraphNode;

/** Adds a kernel. What it reads and writes is taken as it is now. */
export declare function cudaGraphAddKernelNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  kernel: Kernel,
): GraphNode;

/** Adds a copy of `count` bytes. Graph memory must be ordered behind its allocation node, or the call is refused. */
export declare function cudaGraphAddMemcpyNode1D(
  graph: Graph,
  dependencies: readonly GraphNode[],
  dst: DevicePointer | HostMemory,
  src: DevicePointer | HostMemory,
  count: number,
  kind: MemcpyKind,
): GraphNode;

/** Adds a fill. Graph memory must be ordered behind its allocation node, or the call is refused. */
export declare function cudaGraphAddMemsetNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  params: MemsetParams,
): GraphNode;

/** Adds a call of a host function. It must not call CUDA. */
export declare function cudaGraphAddHostNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  run: () => void,
): GraphNode;

/** Adds a copy of a graph as one node. Refused (cudaErrorNotSupported) for graphs with memory nodes. */
export declare function cudaGraphAddChildGraphNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  child: Graph,
): GraphNode;

/** Adds a node that records an event: what it depends on has then happened. */
export declare function cudaGraphAddEventRecordNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  event: Event,
): GraphNode;

/** Adds a node that waits for an event. */
export declare function cudaGraphAddEventWaitNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  event: Event,
): GraphNode;

/**
 * Adds an allocation. The address is valid from now on; the memory exists on the device from this node on, in every launch
 * anew, until a free node, `cudaFreeAsync` or `cudaFree` ends it.
 */
export declare function cudaGraphAddMemAllocNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  params: MemAllocParams,
): { readonly node: GraphNode; readonly dptr: DevicePointer };

/** Adds the free of an allocation. It must be ordered behind every use. */
export declare function cudaGraphAddMemFreeNode(
  graph: Graph,
  dependencies: readonly GraphNode[],
  dptr: DevicePointer,
): GraphNode;

/** Adds edges `from[i] → to[i]`. */
export declare function cudaGraphAddDependencies(
  graph: Graph,
  from: readonly GraphNode[],
  to: readonly GraphNode[],
): void;

/** Removes edges `from[i] → to[i]`. Refused (cudaErrorNotSupported) for graphs with memory nodes. */
export declare function cudaGraphRemoveDependencies(
  graph: Graph,
  from: readonly GraphNode[],
  to: readonly GraphNode[],
): void;

/** Removes a node. Refused (cudaErrorNotSupported) for graphs with memory nodes. */
export declare function cudaGraphDestroyNode(node: GraphNode): void;

// ── Launching ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Makes a graph launchable. A graph with memory nodes has at most one executable at a time. */
export declare function cudaGraphInstantiate(graph: Graph, flags?: InstantiateFlags): GraphExec;

/** Ends the executable's life. Memory that its last launch left allocated stays allocated. */
export declare function cudaGraphExecDestroy(exec: GraphExec): void;

/**
 * Launches into a stream. Launches of one executable never overlap. Refused while an allocation of the last launch is
 * alive, unless instantiated with `cudaGraphInstantiateFlagAutoFreeOnLaunch`.
 */
export declare function cudaGraphLaunch(exec: GraphExec, stream: Stream): void;

/** Maps the executable's memory now, for launches into this stream. */
export declare function cudaGraphUpload(exec: GraphExec, stream: Stream): void;

/** Gives back physical memory of graphs that no live allocation and no running graph needs. */
export declare function cudaDeviceGraphMemTrim(device: number): void;

// ── Streams and events ───────────────────────────────────────────────────────────────────────────────────────────────

/** A stream that takes part in the order of the legacy default stream. */
export declare function cudaStreamCreate(): Stream;

export declare function cudaStreamCreateWithFlags(flags: StreamFlags): Stream;

/** Ends the stream's life. Waits for nothing. */
export declare function cudaStreamDestroy(stream: Stream): void;

/** Waits, on the host, for everything in the stream. */
export declare function cudaStreamSynchronize(stream: Stream): void;

/** Waits, on the host, for everything on the device. */
export declare function cudaDeviceSynchronize(): void;

export declare function cudaEventCreate(): Event;

export declare function cudaEventDestroy(event: Event): void;

/** Waits, on the host, for what the event was last recorded behind. */
export declare function cudaEventSynchronize(event: Event): void;

/** Lets the event stand for everything in the stream so far. */
export declare function cudaEventRecord(event: Event, stream: Stream): void;

/** Lets what follows in the stream wait for the event's latest record. */
export declare function cudaStreamWaitEvent(stream: Stream, event: Event): void;

/** From now on work in the stream, and in streams that wait for its events, becomes nodes of a graph. */
export declare function cudaStreamBeginCapture(stream: Stream, mode: CaptureMode): void;

/** The captured graph. Streams that took part must have been joined into this one before. */
export declare function cudaStreamEndCapture(stream: Stream): Graph;

/** Launches a kernel into a stream. */
export declare function cudaLaunchKernel(kernel: Kernel, stream: Stream): void;

// ── Memory ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Memory that lives until `cudaFree`. Refused during a capture, but for the relaxed mode. */
export declare function cudaMalloc(bytes: number): DevicePointer;

/** Frees memory at once: everything that uses it must have finished. */
export declare function cudaFree(dptr: DevicePointer): void;

/** Memory that exists from this point of the stream on. Captured, it becomes an allocation node. */
export declare function cudaMallocAsync(bytes: number, stream: Stream): DevicePointer;

/** Ends the memory's life at this point of the stream. Captured, it becomes a free node. */
export declare function cudaFreeAsync(dptr: DevicePointer, stream: Stream): void;

export declare function cudaMemcpyAsync(
  dst: DevicePointer | HostMemory,
  src: DevicePointer | HostMemory,
  count: number,
  kind: MemcpyKind,
  stream: Stream,
): void;

export declare function cudaMemsetAsync(dst: DevicePointer, value: number, count: number, stream: Stream): void;
