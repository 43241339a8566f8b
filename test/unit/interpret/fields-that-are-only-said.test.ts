/** `abstract readonly memory` in TypeScript is no field: the classes that extend it have a getter. */

import { expect, it } from 'vitest';
import { analyseText } from '../../support/engine.ts';

const head = `import { cudaFreeAsync, cudaLaunchKernel, cudaMallocAsync, cudaStreamCreate, type DevicePointer } from 'graphmem/runtime';
const stream = cudaStreamCreate();
abstract class Value {
  abstract readonly memory: DevicePointer;
  use(): void { cudaLaunchKernel({ func: 'use', reads: [this.memory], writes: [] }, stream); }
  drop(): void { cudaFreeAsync(this.memory, stream); }
}
class Temporary extends Value {
  readonly #own = cudaMallocAsync(64, stream);
  override get memory(): DevicePointer { return this.#own; }
}
class Seen extends Temporary {
  declare readonly label: string;
}
`;

it.each([
  ['used before its free', 'value.use(); value.drop();', []],
  ['used behind its free', 'value.drop(); value.use();', ['async-use-after-free']],
])('%s', async (_what, body, rules) => {
  for (const name of ['Temporary', 'Seen']) {
    const { findings } = await analyseText(`${head}const value: Value = new ${name}();\n${body}\n`, 'typescript');
    expect(findings.map(({ rule }) => rule)).toEqual(rules);
  }
});
