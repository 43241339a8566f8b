/** What a device does in the generated programs, whether in a node of a graph or in a stream. */

export type Work =
  | { readonly kind: 'alloc'; readonly buffer: number }
  | { readonly kind: 'free'; readonly buffer: number }
  | { readonly kind: 'kernel'; readonly reads: readonly number[]; readonly writes: readonly number[] }
  | { readonly kind: 'memset'; readonly buffer: number }
  | { readonly kind: 'copy'; readonly from: number; readonly to: number }
  /** Nodes only: streams have steps of their own for events. */
  | { readonly kind: 'recordEvent' | 'waitEvent'; readonly event: number };

export interface Touch {
  readonly buffer: number;
  readonly writes: boolean;
}

/** The buffers whose contents it reads or writes; allocating and freeing touch none. */
export function touches(work: Work): readonly Touch[] {
  switch (work.kind) {
    case 'kernel':
      return [
        ...work.reads.map((buffer) => ({ buffer, writes: false })),
        ...work.writes.map((buffer) => ({ buffer, writes: true })),
      ];
    case 'memset':
      return [{ buffer: work.buffer, writes: true }];
    case 'copy':
      return [
        { buffer: work.from, writes: false },
        { buffer: work.to, writes: true },
      ];
    default:
      return [];
  }
}

/** Every buffer it names. */
export function buffersOf(work: Work): readonly number[] {
  return work.kind === 'alloc' || work.kind === 'free'
    ? [work.buffer]
    : [...new Set(touches(work).map((each) => each.buffer))];
}

export const bytes = 4096;

/** A kernel that reads and writes as many buffers as it says. */
export function kernelName(reads: number, writes: number): string {
  return `work_${reads}_${writes}`;
}

/** The definitions of the kernels that some work calls. */
export function kernelDefinitions(all: readonly Work[]): string {
  const names = new Map<string, string>();
  for (const work of all) {
    if (work.kind !== 'kernel') continue;
    const from = work.reads.map((_, index) => `in${index}`);
    const to = work.writes.map((_, index) => `out${index}`);
    const name = kernelName(from.length, to.length);
    const parameters = [...from.map((each) => `const float *${each}`), ...to.map((each) => `float *${each}`)].join(
      ', ',
    );
    const body = [...from.map((each) => `if (${each}[0] < 0.0f) __trap();`), ...to.map((each) => `${each}[0] = 1.0f;`)];
    names.set(name, `__global__ void ${name}(${parameters}) { ${body.join(' ')} }\n`);
  }
  return [...names.values()].join('');
}
