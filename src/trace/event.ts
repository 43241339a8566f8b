/**
 * What the host program asks of CUDA, call by call, on one path through the text.
 * A trace is flat and plain: handles and allocations are numbers into its tables, every event has the span of its call,
 * and the same situation gives the same events whichever language it was written in.
 */

import type { Gap } from '../base/finding.ts';
import type { Span } from '../base/span.ts';
import type { AllocationProperties } from './allocation-properties.ts';
import type { Decision } from './decision.ts';
import type { Frame } from './frame.ts';
import type { BeyondHost, HostElement, HostGiven, HostMemory, Misdirected } from './host-memory.ts';
import type { AllocationRecord, HandleRecord, HandleType } from './records.ts';
import type { Size } from './size.ts';
import type { TouchedBytes } from './touched-bytes.ts';
import type { UnknownDistance } from './unknown-distance.ts';

export type { AllocationProperties, Location } from './allocation-properties.ts';
export type { Acting, Decision } from './decision.ts';
export type { BeyondHost, HostElement, HostGiven, HostMemory, Misdirected } from './host-memory.ts';
export type { AllocationOrigin, AllocationRecord, HandleRecord, HandleType } from './records.ts';

/** The two streams that exist from the start. */
export const [legacyStream, perThreadStream, threadsOwn] = [0, 1, 'cudaStreamPerThread'] as const;

export interface DevicePointer {
  readonly allocation: number;
  /** Bytes from the allocation's start; null when not known. */
  readonly offset: number | null;
  /** Where the offset is not known: what it hangs on. */
  readonly distance?: UnknownDistance | undefined;
}

export type AccessMode = 'read' | 'write' | 'readwrite' | 'unknown';

export interface Access {
  readonly pointer: DevicePointer;
  readonly mode: AccessMode;
  /** A kernel that touches it with atomic operations only. */
  readonly isAtomic?: boolean;
  /** A kernel that the host may learn from, or tell, through memory how far the other is: it fences for the system, or polls. */
  readonly talksToHost?: boolean;
  readonly waitsForOthers?: boolean; // a kernel that stays in a loop until somebody else has written something
  /** Bytes from the pointer on that are surely touched: a copy's length, or its first row; `span`: from the first row to behind the last, of the last slice. Absent where nobody can tell. */
  readonly extent?: number;
  readonly span?: number;
  /** Where it ends, in bytes from the beginning of the allocation, at the least: where that hangs on numbers that nobody knows. */
  readonly end?: Size;
  /** Where in the allocation a kernel, or the copy of a box, begins, when that is not where it points; null where nobody can tell. */
  readonly startsAt?: number | null;
  readonly bytesBefore?: number | null; // from where it points to where it begins, as `startsAt`
  readonly isSomewhere?: boolean; // a kernel surely touches some place of it, wherever that is
  /** Of a kernel of which it is known how many threads it has: the bytes behind the pointer that they touch in any case. */
  readonly touched?: readonly TouchedBytes[];
  /** What says which places a kernel touches, where it touches no others: the lists it takes them from and the numbers it was given. */
  readonly placesFrom?: readonly unknown[] | null;
}

export type OperationKind =
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

/** What a kernel's body says about kernels that begin before others have ended. */
export interface KernelStart {
  /** It lets the kernel behind it begin before it ends. */
  readonly triggers: boolean;
  /** The whole body is seen, and it does not wait for the kernel in front of it. */
  readonly neverWaits: boolean;
}

/** An edge of a graph behind which a kernel may begin before the one in front has ended. */
export interface EarlyEdge {
  readonly from: number;
  readonly to: number;
  /** As soon as the one in front has begun, whether it says so or not. */
  readonly atLaunch: boolean;
}

/** A call of CUDA in a function that the host runs for a stream or a graph; of a kernel's launch without a name. */
export interface HostCall {
  readonly name: string | null;
  /** It stands behind a condition. */
  readonly isPerhaps: boolean;
}

/** What a node or a stream operation does. */
export interface Operation {
  readonly kind: OperationKind;
  readonly label: string;
  readonly accesses: readonly Access[];
  /** memcpy, memset: bytes moved; memAlloc: bytes asked for. */
  readonly bytes: Size | null;
  /** memAlloc: the allocation. */
  readonly allocation?: number;
  readonly properties?: AllocationProperties;
  readonly addressCopiedBefore?: number; // memAlloc: the event of a kernel node whose arguments were copied before it filled in its address
  /** memFree: what is freed; null when the pointer is not known. */
  readonly freed?: DevicePointer | null;
  /** memFree: the pointer is certainly not one that CUDA gave out. */
  readonly freesForeign?: boolean;
  /** eventRecord, eventWait. */
  readonly event?: number;
  /** child: the graph, and whether it is moved rather than cloned. */
  readonly child?: number;
  readonly moved?: boolean;
  /** conditional: the graphs that are its bodies. */
  readonly bodies?: readonly number[];
  /** memcpy, host: variables of the host that it touches when it runs. */
  readonly hostMemory?: readonly HostMemory[];
  /** host: a call of CUDA that the function makes. */
  readonly hostCall?: HostCall;
  readonly freesHost?: true; // host: it surely frees what it is called with
  /** memcpy: memory of the host that it surely goes on behind. */
  readonly beyondHost?: BeyondHost;
  readonly misdirected?: Misdirected; // memcpy: it is refused
  readonly ofHost?: HostGiven; // kernel: memory of the host's own that it surely works on
  /** A kernel whose blocks run all at once, so that several launches of it may wait for each other on the device. */
  readonly cooperative?: boolean;
  /** kernel: what its body says, where that is seen; and whether the launch may begin before the kernel in front has ended. */
  readonly start?: KernelStart;
  readonly beginsEarly?: boolean;
  /** Semaphores and numbers in memory that it tells or waits for, each by its number in the run. */
  readonly told?: { readonly tells: readonly number[]; readonly awaits: readonly number[] };
  /** An unknown library call: what it does to the pointers is a guess. */
  readonly opaque?: boolean;
}

interface EventBase {
  readonly index: number;
  /** The API called, or `kernel<<<>>>`. */
  readonly api: string;
  readonly span: Span;
  /** The user's statement around the call. */
  readonly statement: Span;
  /** Spans of the arguments, for edits. */
  readonly arguments: readonly Span[];
  readonly frames: readonly Frame[];
  /** How many times something that is not seen had run before: it may have waited. */
  readonly unseen?: number;
  readonly thread?: number | null; // of the host; absent: the program's own, null: nobody knows
}

export type Effect =
  | { readonly verb: 'stream.create'; readonly stream: number; readonly nonBlocking: boolean }
  | { readonly verb: 'stream.destroy'; readonly stream: number }
  | {
      readonly verb: 'pool.create';
      readonly pool: number;
      /** null where the text does not say, and where the memory is no device's. */
      readonly device: number | null;
      readonly isImported?: true;
      readonly unsafeInCapture: boolean;
    }
  /** The pool that a device has by itself is not destroyed. */
  | { readonly verb: 'pool.destroy'; readonly pool: number; readonly isDefault?: true }
  | { readonly verb: 'pool.set'; readonly pool: number | null; readonly device: number | null }
  | { readonly verb: 'event.create'; readonly event: number }
  | { readonly verb: 'event.destroy'; readonly event: number }
  | { readonly verb: 'event.record'; readonly event: number; readonly stream: number; readonly external: boolean }
  | { readonly verb: 'stream.wait'; readonly stream: number; readonly event: number; readonly external: boolean }
  | {
      readonly verb: 'stream.operation';
      readonly stream: number;
      readonly operation: Operation;
      readonly blocking: boolean;
    }
  | {
      readonly verb: 'memory.allocateAsync';
      readonly stream: number;
      readonly allocation: number;
      readonly pool: number | null;
    }
  | {
      readonly verb: 'memory.freeAsync';
      readonly stream: number;
      readonly pointer: DevicePointer | null;
      readonly isNull: boolean;
      /** The name of memory that is certainly the host's own: an array, a block of `malloc` or `new`, what a container has. */
      readonly ofHost?: string;
    }
  | {
      readonly verb: 'memory.allocate';
      readonly allocation: number;
      readonly unsafeInCapture: boolean;
      /** The allocation that the variable alone led to, before it was given this one. */
      readonly loses?: number;
    }
  | {
      readonly verb: 'memory.free';
      readonly pointer: DevicePointer | null;
      readonly isNull: boolean;
      readonly unsafeInCapture: boolean;
    }
  | { readonly verb: 'graph.create'; readonly graph: number }
  | { readonly verb: 'graph.destroy'; readonly graph: number }
  | { readonly verb: 'graph.clone'; readonly graph: number; readonly source: number }
  | {
      readonly verb: 'node.add';
      readonly graph: number;
      readonly node: number;
      /** Handles of the nodes depended on; null when the list is not known. */
      readonly dependencies: readonly number[] | null;
      /** More than none are announced, and the list is null. */
      readonly lacksList?: boolean;
      readonly operation: Operation;
      readonly early?: readonly EarlyEdge[];
    }
  | { readonly verb: 'node.destroy'; readonly node: number }
  | { readonly verb: 'node.update'; readonly node: number; readonly operation: Operation }
  | {
      readonly verb: 'edges.add';
      readonly graph: number;
      readonly from: readonly number[] | null;
      readonly to: readonly number[] | null;
      readonly early?: readonly EarlyEdge[];
    }
  | {
      readonly verb: 'edges.remove';
      readonly graph: number;
      readonly from: readonly number[] | null;
      readonly to: readonly number[] | null;
    }
  | {
      readonly verb: 'capture.begin';
      readonly stream: number;
      readonly mode: 'global' | 'threadLocal' | 'relaxed';
      readonly graph: number | null;
      readonly dependencies: readonly number[] | null;
    }
  | {
      /** What the next work in a capturing stream comes after; null where the nodes are not known. */
      readonly verb: 'capture.update';
      readonly stream: number;
      readonly dependencies: readonly number[] | null;
      readonly replaces: boolean;
    }
  | {
      /** The program asks for the graph that a capture builds and for the nodes that the stream's next work comes after. */
      readonly verb: 'capture.info';
      readonly stream: number;
      readonly graph: number;
      readonly nodes: readonly number[];
    }
  | { readonly verb: 'capture.end'; readonly stream: number; readonly graph: number }
  | {
      readonly verb: 'exec.instantiate';
      readonly exec: number;
      readonly graph: number;
      readonly autoFree: boolean;
      /** Whether it asks for an upload, and in which stream. */
      readonly upload: boolean;
      readonly uploadStream: number | null;
      readonly deviceLaunch: boolean;
    }
  | { readonly verb: 'exec.destroy'; readonly exec: number }
  | { readonly verb: 'exec.launch'; readonly exec: number; readonly stream: number }
  | { readonly verb: 'exec.upload'; readonly exec: number; readonly stream: number }
  | { readonly verb: 'exec.update'; readonly exec: number; readonly graph: number }
  | {
      /** One node of an executable gets new parameters; null where the text does not say which executable or what it does now. */
      readonly verb: 'exec.updateNode';
      readonly exec: number | null;
      readonly node: number;
      readonly operation: Operation | null;
    }
  | {
      /** A node of an executable is switched on or off, in a way that the text may leave open, or only asked about. */
      readonly verb: 'node.enable';
      readonly exec: number | null;
      readonly node: number;
      readonly change: 'on' | 'off' | 'open' | 'asked';
    }
  | {
      /** The program asks for nodes of a graph: handles, and for each the node's place in the order in which they were added. */
      readonly verb: 'graph.nodes';
      readonly graph: number;
      readonly nodes: readonly number[];
      readonly places: readonly number[];
    }
  | { readonly verb: 'node.child'; readonly node: number; readonly graph: number }
  | {
      readonly verb: 'memory.freeHost';
      readonly pointer: DevicePointer | null;
      /** As of an access of the host. */
      readonly unknownSince: number;
    }
  | {
      readonly verb: 'host.synchronise';
      readonly scope: 'device' | 'stream' | 'event';
      readonly handle: number | null;
      readonly query: boolean;
    }
  | {
      /** The host itself touches memory that the device sees too: memory of CUDA's, or a variable that a graph copies. `about`: it only says or asks something of it. */
      readonly verb: 'host.access';
      readonly touched: DevicePointer | HostElement;
      readonly mode: 'read' | 'write' | 'about';
      /** Behind the events before this index something ran that is not seen to its end; −1 when nothing did. */
      readonly unknownSince: number;
    }
  /** The host runs something that is not seen to its end: perhaps it waits until the callbacks so far have told it to go on; `ofAll`: or all work. */
  | { readonly verb: 'host.mayWait'; readonly ofAll?: true }
  | {
      /** The scope of a variable ends whose address work was given, or memory of the host is freed. */
      readonly verb: 'host.objectEnds';
      readonly object: number;
      readonly name: string;
      readonly isFreed: boolean;
      /** It was in a vector whose elements lie elsewhere now. */
      readonly hasMoved?: true;
      /** Something that is not seen to its end ran behind that work, and may have waited for it. */
      readonly mayHaveWaited: boolean;
    }
  /** `isOfNode`: the event of a node in a graph; `isUnset`: no null, but a variable that nothing was stored in. */
  | { readonly verb: 'handle.missing'; readonly type: HandleType; readonly isOfNode?: boolean; readonly isUnset?: true }
  /** Something that nothing else hangs on is asked or set of handles that were destroyed before, or of events where there are captures. */
  | { readonly verb: 'handle.asked'; readonly handles: readonly number[] }
  /** An object that graphs keep is ended by a function that calls CUDA. */
  | { readonly verb: 'callback.given'; readonly label: string; readonly hostCall: HostCall }
  /** What an address leads to is asked, of memory that was freed before. */
  | { readonly verb: 'memory.asked'; readonly pointer: DevicePointer }
  | { readonly verb: 'device.set'; readonly device: number | null }
  /** All that the current device has is gone; a trace does not end with it. */
  | { readonly verb: 'device.reset' }
  | { readonly verb: 'device.setAttribute'; readonly attribute: number | null; readonly value: number | null }
  | { readonly verb: 'pool.get'; readonly pool: number; readonly device: number | null }
  | { readonly verb: 'pool.access'; readonly pool: number; readonly access: AllocationProperties['access'] }
  | { readonly verb: 'device.trim'; readonly device: number | null }
  /** The thread says what it may do while a stream captures; it also may where that is not known. */
  | {
      readonly verb: 'thread.captureMode';
      readonly allowsUnsafe: boolean;
      /** `cudaStreamCaptureMode`; null where that is not known. */
      readonly mode: number | null;
      /** What held before is kept where others can reach it: in a member, in a variable of the program. */
      readonly isKept: boolean;
    }
  /** `waitsInFact`: it waits for all work of the device, which no documentation promises. */
  | { readonly verb: 'call.unsafeInCapture'; readonly stream: number | null; readonly waitsInFact?: true }
  | { readonly verb: 'call.unknown'; readonly pointers: readonly DevicePointer[]; readonly handles: readonly number[] };

export type TraceEvent = EventBase & Effect;
export type EventOf<V extends Effect['verb']> = Extract<TraceEvent, { readonly verb: V }>;

/** How a path through the program ended; `ended`: by `exit`, as it should. */
export type TraceEnd = 'complete' | 'ended' | 'exited' | 'budget';

export interface Trace {
  readonly entry: string;
  readonly events: readonly TraceEvent[];
  readonly handles: readonly HandleRecord[];
  readonly allocations: readonly AllocationRecord[];
  readonly decisions: readonly Decision[];
  readonly gaps: readonly Gap[];
  /** Of a run that ended early: the choices in whose arms it did, outer ones first. */
  readonly endedWithin?: readonly string[];
  /** By decision: the piece of the program that was not run because of it. */
  readonly untaken: ReadonlyMap<string, object>;
  /** Loops that were left because their rounds ask the same again and again: what they make is fewer than in the program. */
  readonly shortened?: readonly Span[];
  /** Calls that ran: of CUDA, of kernels, of functions that nobody here knows. */
  readonly called: ReadonlySet<Span>;
  readonly end: TraceEnd;
  /** What the run cost, in steps of the interpreter. */
  readonly steps: number;
  /** Functions of the primary file that were run, by the offset they begin at. */
  readonly entered: ReadonlySet<Span>;
  /** Symbols used in sizes, with where they come from. */
  readonly symbols: ReadonlyMap<string, Span>;
  /** Of a function that was run on its own: allocations of which nobody has the address when it returns. */
  readonly lost?: readonly number[];
  /** A test, with all that its fixture does: nobody goes on with what it has left. */
  readonly isTest?: boolean;
  /** Allocations that objects have at the end of the run which nobody has followed to their end. */
  readonly kept?: readonly number[];
}
