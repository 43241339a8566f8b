/** Events are recorded in streams of the device that they were created for, and waited for anywhere. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head = `#include <cuda_runtime.h>
struct Guard { int before; Guard(int d) { cudaGetDevice(&before); cudaSetDevice(d); } ~Guard() { cudaSetDevice(before); } };
struct Lane { cudaStream_t s; cudaEvent_t e; };
`;
const found = async (text: string): Promise<readonly string[]> =>
  (await analyseText(head + text)).findings.map(({ rule }) => rule);
const inMain = (body: string): Promise<readonly string[]> => found(`int main() { ${body} }`);

const rule = 'event-stream-device-mismatch';

describe('an event and the stream it is recorded in', () => {
  it('are of one device', async () => {
    const made = 'cudaStream_t s; cudaEvent_t e; cudaSetDevice(1); cudaStreamCreate(&s);';
    expect(await inMain(`${made} cudaEventCreate(&e); cudaSetDevice(0); cudaEventRecord(e, s);`)).toEqual([]);
    expect(await inMain(`${made} cudaSetDevice(0); cudaEventCreate(&e); cudaEventRecord(e, s);`)).toEqual([rule]);
  });

  it('are told by guards and in loops', async () => {
    const lanes = (event: string) =>
      `Lane lanes[2]; for (int d = 0; d < 2; ++d) { { Guard g(d); cudaStreamCreate(&lanes[d].s); ${event} } ${event === '' ? 'cudaEventCreate(&lanes[d].e);' : ''} }
       for (Lane &l : lanes) cudaEventRecord(l.e, l.s);`;
    expect(await inMain(lanes('cudaEventCreate(&lanes[d].e);'))).toEqual([]);
    expect(await inMain(lanes(''))).toEqual([rule]);
  });

  it('may be of two where it is waited for', async () => {
    const made = 'cudaStream_t s, t; cudaEvent_t e; cudaStreamCreate(&s); cudaEventCreate(&e); cudaSetDevice(1);';
    expect(await inMain(`${made} cudaStreamCreate(&t); cudaEventRecord(e, s); cudaStreamWaitEvent(t, e, 0);`)).toEqual(
      [],
    );
  });

  it('are not said to be of two where nobody knows', async () => {
    const body = 'cudaStream_t s; cudaEvent_t e; cudaEventCreate(&e); cudaSetDevice(1); cudaStreamCreate(&s);';
    expect(await found(`void f() { ${body} cudaEventRecord(e, s); }`)).toEqual([]);
    expect(await found(`void f() { cudaSetDevice(0); ${body} cudaEventRecord(e, s); }`)).toEqual([rule]);
    expect(
      await found(
        'void f(int d, cudaEvent_t e) { cudaSetDevice(d); cudaStream_t s; cudaStreamCreate(&s); cudaEventRecord(e, s); }',
      ),
    ).toEqual([]);
  });
});
