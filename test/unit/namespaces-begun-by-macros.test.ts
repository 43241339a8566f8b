/** `LIB_NAMESPACE_BEGIN … LIB_NAMESPACE_END`: macros that begin and end namespaces. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';
import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#define ONE_NAMESPACE_BEGIN namespace one {
#define ONE_NAMESPACE_END }
#define OTHER_LIBRARY_DETAIL_NAMESPACE_BEGIN__ namespace other { namespace detail {
#define OTHER_DETAIL_NAMESPACE_END }}
ONE_NAMESPACE_BEGIN
static void drop(float *) {}
ONE_NAMESPACE_END
OTHER_LIBRARY_DETAIL_NAMESPACE_BEGIN__
static void drop(float *p) { cudaFree(p); }
OTHER_DETAIL_NAMESPACE_END
`;

describeRows('functions of one name in two of them', head, [
  [
    'are told apart',
    'malloc-double-free',
    '',
    'float *p; cudaMalloc(&p, 4); other::detail::drop(p); other::detail::drop(p);',
    'float *p; cudaMalloc(&p, 4); one::drop(p); other::detail::drop(p); one::drop(p);',
  ],
]);

describe('a macro that is shorter than the namespace', () => {
  it('leaves the namespace out, and what stands behind its end is read', async () => {
    const text = `#include <cuda_runtime.h>
#define BEGIN_LIB namespace a_name_longer_than_that {
#define END_LIB }
BEGIN_LIB
class Buffer { public: float *p; };
END_LIB
static a_name_longer_than_that::Buffer kept;
int main() { cudaMalloc(&kept.p, 4); cudaFree(kept.p); cudaFree(kept.p); }`;
    const { findings } = await analyseText(text);
    expect(findings.map(({ rule }) => rule)).toEqual(['malloc-double-free']);
  });
});
