/** Classes of TypeScript that extend `Map`, `Set` or `Array`. */

import { expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `import { cudaFreeAsync, cudaLaunchKernel, cudaMallocAsync, cudaStreamCreate, type DevicePointer, type Stream } from 'graphmem/runtime';
class Buffers extends Map<string, DevicePointer> {
  readonly names: string[] = [];
  obtain(name: string, stream: Stream): DevicePointer {
    let known = this.get(name);
    if (known === undefined) this.set(name, (known = cudaMallocAsync(256, stream)));
    return known;
  }
  set(name: string, pointer: DevicePointer): this {
    this.names.push(name);
    return super.set(name, pointer);
  }
}
class Pending extends Set<DevicePointer> {
  constructor(private readonly stream: Stream, ...first: DevicePointer[]) {
    super(first);
  }
  flush(): number {
    for (const pointer of this) cudaFreeAsync(pointer, this.stream);
    this.clear();
    return this.size;
  }
}
class Steps extends Array<() => void> {
  run(): void {
    this.forEach((step) => step());
  }
}
const stream = cudaStreamCreate();
const use = (pointer: DevicePointer): void => cudaLaunchKernel({ func: 'use', reads: [pointer], writes: [] }, stream);
`;

const rows: readonly (readonly [what: string, rules: readonly string[], body: string])[] = [
  [
    'a map that is looked into by its own methods',
    [],
    `const b = new Buffers(); use(b.obtain('x', stream)); use(b.obtain('x', stream));
     for (const [, pointer] of b) cudaFreeAsync(pointer, stream);
     if (b.names.length !== 1 || b.size !== 1) use(b.get('x')!);`,
  ],
  [
    'memory from such a map after its free',
    ['async-use-after-free'],
    `const b = new Buffers(); use(b.obtain('x', stream)); for (const pointer of b.values()) cudaFreeAsync(pointer, stream); use(b.obtain('x', stream));`,
  ],
  [
    'a map that is made from entries',
    ['async-use-after-free'],
    `const b = new Buffers([['y', cudaMallocAsync(256, stream)]]); use(b.obtain('y', stream)); cudaFreeAsync(b.get('y')!, stream); use(b.get('y')!);`,
  ],
  [
    'a set that is emptied',
    [],
    `const p = new Pending(stream, cudaMallocAsync(256, stream)); const q = cudaMallocAsync(256, stream); p.add(q); use(q); p.flush(); p.flush();`,
  ],
  [
    'a set that frees what is used',
    ['async-use-after-free'],
    `const p = new Pending(stream); const q = cudaMallocAsync(256, stream); p.add(q); if (p.flush() === 0) use(q);`,
  ],
  [
    'an array that runs what was pushed',
    ['async-double-free'],
    `const q = cudaMallocAsync(256, stream); const s = new Steps(); s.push(() => use(q)); s.push(() => cudaFreeAsync(q, stream), () => cudaFreeAsync(q, stream)); s.run();`,
  ],
  [
    'an array of steps in order',
    [],
    `const q = cudaMallocAsync(256, stream); const s = new Steps(); s.push(() => use(q)); s.push(() => cudaFreeAsync(q, stream)); if (s.length === 2) s.run();`,
  ],
];

it.each(rows)('%s', async (_what, rules, body) => {
  const { findings } = await analyseText(`${head}${body}\n`, 'typescript');
  expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(rules);
});
