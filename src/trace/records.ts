/** The tables of a trace: what is known of each handle and of each allocation, whatever is asked of it. */

import type { Span } from '../base/span.ts';
import type { Size } from './size.ts';

export type HandleType = 'stream' | 'event' | 'graph' | 'node' | 'exec' | 'pool' | 'conditional' | 'library';

export interface HandleRecord {
  readonly type: HandleType;
  /** The variable it was first stored in, or what it is. */
  readonly name: string;
  readonly span: Span;
  /** True when it came from outside what we read: a parameter, an unknown call. */
  readonly external: boolean;
  /** Stands for something that the text does not identify: it may be any other of its type. */
  readonly isGuess?: boolean;
  /** A guess at what a member of one object holds: asked again it is the same, until something else is stored there. */
  readonly isMember?: boolean;
  /** A stream that it may be, for all that is known: it was in the same place before somebody unseen could reach it. */
  readonly perhaps?: number;
  /** Of a stream that was made elsewhere: whether the default stream waits for it, where the text says that. */
  readonly isBlocking?: boolean;
}

export type AllocationOrigin = 'graph' | 'stream' | 'device' | 'host' | 'managed' | 'external';

export interface AllocationRecord {
  readonly name: string;
  readonly span: Span;
  /** How it was asked for. A captured `cudaMallocAsync` is `stream` here; execution decides that it becomes a node. */
  readonly origin: AllocationOrigin;
  readonly bytes: Size | null;
  /** A variable of the device: there from the start, and nobody's to free. */
  readonly isVariable?: true;
  /** A variable that the host and the device reach by one name: there from the start, and managed. */
  readonly isManagedVariable?: true;
  /** What an address leads to that the run lost track of: it may be any other allocation. */
  readonly isUntold?: true;
}
