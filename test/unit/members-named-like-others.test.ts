/** `&Class::member` is the member, whatever else in the program goes by the last part of its name. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `
namespace id { enum : unsigned { data, drop, total }; }
__global__ void k(float *p) { p[0] = 1.0f; }
struct Room {
  float *data = nullptr;
  cudaStream_t stream;
  Room() { cudaStreamCreate(&stream); }
  ~Room() { cudaStreamDestroy(stream); }
  void take(float *Room::*slot) { float *p; cudaMallocAsync(&p, 64, stream); this->*slot = p; }
  void drop() { cudaFreeAsync(data, stream); }
  void use() { k<<<1, 1, 0, stream>>>(data); }
};`;

const rows: readonly Row[] = [
  [
    'a field, and an enumerator of a namespace',
    'async-use-after-free',
    '',
    'Room r; r.take(&Room::data); cudaFreeAsync(r.data, r.stream); r.use();',
    'Room r; r.take(&Room::data); r.use(); cudaFreeAsync(r.data, r.stream);',
  ],
  [
    'a method, and an enumerator of a namespace',
    'async-double-free',
    '',
    'Room r; r.take(&Room::data); void (Room::*end)() = &Room::drop; (r.*end)(); (r.*end)();',
    'Room r; r.take(&Room::data); void (Room::*end)() = &Room::drop; (r.*end)();',
  ],
  [
    'a field, and a variable of the function',
    'async-use-after-free',
    '',
    'Room r; int data = 3; r.take(&Room::data); r.drop(); r.use(); return data;',
    'Room r; int data = 3; r.take(&Room::data); r.use(); r.drop(); return data;',
  ],
];

describeRows('members that are named like something else', head, rows);
