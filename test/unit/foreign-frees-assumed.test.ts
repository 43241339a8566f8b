/** What an allocator finds in its books is not known: that it gives back memory of the host is not certain. */

import { expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const found = async (free: string): Promise<readonly string[]> => {
  const { findings } = await analyseText(`#include <cuda_runtime.h>
struct Allocator {
  int knows(void *p) const;
  void release(void *p) { ${free} }
};
int *kept[2];
void end(Allocator *allocator) { allocator->release(kept); }
`);
  return findings.map(({ rule, severity }) => `${severity} ${rule}`);
};

it('says "on some paths" behind a question that nobody here can answer', async () => {
  expect(await found('cudaFreeAsync(p, 0);')).toEqual(['error async-free-foreign']);
  expect(await found('if (knows(p) > 0) cudaFreeAsync(p, 0);')).toEqual(['warning async-free-foreign']);
});
