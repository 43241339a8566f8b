/** What the engine believes of values: conditions that are false when the program runs, each of which would allocate. */

import { analyseText } from './engine.ts';

export type ConditionRow = readonly [what: string, declarations: string, setup: string, conditions: readonly string[]];

/** The conditions under which something was allocated. */
export async function wrongOnes([, declarations, setup, conditions]: ConditionRow): Promise<readonly string[]> {
  const before = `#include <cuda_runtime.h>\n${declarations}\nint main() { cudaStream_t s; cudaStreamCreate(&s); float *q;\n${setup}\n`;
  const text = `${before}${conditions.map((each) => `if (${each}) cudaMallocAsync(&q, 4, s);`).join('\n')}\nreturn 0; }`;
  const { findings } = await analyseText(text);
  const first = before.split('\n').length;
  return findings.map(({ span }) => conditions[text.slice(0, span.start).split('\n').length - first] ?? '?');
}
