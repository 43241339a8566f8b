/** Classes that two others have by one name and that are defined outside of them, as hidden implementations are. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <memory>
namespace gpu {
class Buffer { public: class Impl; Buffer(); ~Buffer(); Impl *impl; };
class Table { public: class Impl; Table(); std::shared_ptr<Impl> impl; };
class Buffer::Impl { public: float *p; Impl() { cudaMalloc(&p, 4); } ~Impl() { cudaFree(p); } };
}
class gpu::Table::Impl { public: float *p; Impl() { cudaMalloc(&p, 8); } ~Impl(); };
gpu::Table::Impl::~Impl() { cudaFree(p); }
gpu::Buffer::Buffer() : impl(new Impl) {}
gpu::Buffer::~Buffer() { delete impl; }
gpu::Table::Table() : impl(std::make_shared<Impl>()) {}
struct Both { gpu::Buffer buffer; gpu::Table table; };
`;

/** As many bytes as the memory of one of them has, and one more. */
function written(what: string, declared: string, data: string, bytes: number): Row {
  const body = (count: number): string => `${declared} cudaMemset(${data}, 0, ${count});`;
  return [what, 'copy-out-of-range', '', body(bytes + 1), body(bytes)];
}

describeRows('implementations of one name', head, [
  written('the first alone', 'gpu::Buffer b;', 'b.impl->p', 4),
  written('the second alone', 'gpu::Table t;', 't.impl->p', 8),
  written('the first of both', 'Both b;', 'b.buffer.impl->p', 4),
  written('the second of both', 'Both b;', 'b.table.impl->p', 8),
]);
