/** Unions of bit-fields and words, and structures of bits as numbers: what g++ computes of each is known here, too. */

import { describeRows, whenKnown } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <bit>
#include <cstdint>
#include <cstring>
__global__ void work(float *p) { p[0] += 1; }
static cudaStream_t s;
static float *make() { float *p; cudaMallocAsync(&p, 64, s); return p; }
static void run(float *p) { work<<<1, 1, 0, s>>>(p); }
static void drop(float *p) { cudaFreeAsync(p, s); }
union Word { struct { uint32_t kind : 4; uint32_t slot : 12; uint32_t bytes : 16; } f; uint32_t raw; };
union Unnamed { struct { uint64_t low : 40, mid : 3; uint64_t : 0; int64_t high : 7; bool on : 1; }; uint64_t words[2]; uint8_t b[16]; };
struct Pair { uint16_t a; uint8_t b; };
union Nested { struct { Pair p; uint32_t c; } s; uint8_t bytes[8]; struct { float f; uint32_t g; } t; };
#pragma pack(push, 1)
struct Tight { uint8_t tag; uint32_t v; uint16_t w; };
#pragma pack(pop)
union Packed { Tight p; uint8_t raw[7]; };
union Gap { struct { uint32_t x : 5; uint32_t y : 30; } q; uint32_t r[2]; };
struct Register { union { struct { uint32_t en : 1; uint32_t mode : 3; } bits; uint32_t value; }; int other; };
struct Key { uint32_t kind : 4; uint32_t slot : 12; uint32_t bytes : 16; };
struct Halves { uint16_t a, b; };`;

describeRows('bits in unions', head, [
  whenKnown('fields make the word', 'Word w{}; w.f.slot = 2; w.f.kind = 1; w.f.bytes = 4096;', 'w.raw == 0x10000021'),
  whenKnown(
    'the word makes the fields',
    'Word w; w.raw = 0xabcd1235u; w.f.slot++;',
    'w.f.kind == 5 && w.f.bytes == 0xabcd && w.raw == 0xabcd1245u',
  ),
  whenKnown(
    'a copy is a union of its own',
    'Word w; w.raw = 0x1235; Word c = w; c.f.kind = 0;',
    'w.f.kind == 5 && c.raw == 0x1230',
  ),
  whenKnown(
    'fields that are given as a whole',
    'Word w{}; decltype(w.f) f{3, 4, 5}; w.f = f; w.f.slot = 9;',
    'w.raw == 0x50093 && f.slot == 4',
  ),
  whenKnown('a list for the word', 'Word w{.raw = 0x31}; Word v = {{1, 2, 3}};', 'w.f.slot == 3 && v.raw == 0x30021'),
  whenKnown(
    'fields without a name, with a sign, behind a new unit',
    'Unnamed a{}; a.low = 0x1122334455ull; a.mid = 5; a.high = -3; a.on = true;',
    'a.words[0] == (0x1122334455ull | 5ull << 40) && a.words[1] == 0xfd && a.b[0] == 0x55 && a.high == -3',
  ),
  whenKnown(
    'structures in structures',
    'Nested n{}; n.s.p.a = 0x1234; n.s.p.b = 7; n.s.c = 0xdeadbeef; bool t = n.t.g == 0xdeadbeef; n.s.p = Pair{1, 2};',
    't && n.bytes[0] == 1 && n.bytes[1] == 0 && n.bytes[2] == 2 && n.bytes[4] == 0xef',
  ),
  whenKnown(
    'without room between members',
    'Packed u{}; u.p.v = 0x01020304; u.p.w = 0x0506;',
    'u.raw[1] == 4 && u.raw[4] == 1 && u.raw[5] == 6',
  ),
  whenKnown('room that no field has', 'Gap g{}; g.q.x = 3; g.q.y = 77;', 'g.r[0] == 3 && g.r[1] == 77'),
  whenKnown(
    'a union without a name',
    'Register r{}; r.bits.en = 1; r.bits.mode = 5; bool v = r.value == 11; r.value = 0;',
    'v && r.bits.mode == 0',
  ),
  whenKnown(
    'bytes are copied',
    'Word w; uint32_t bits = 0x51; std::memcpy(&w, &bits, sizeof w); Word z; std::memset(&z, 0, sizeof z);',
    'w.f.slot == 5 && z.f.slot == 0',
  ),
  whenKnown(
    'a structure is cast to a number and back',
    'Key k{3, 5, 77}; auto w = std::bit_cast<uint32_t>(k); auto n = std::bit_cast<Key>(w + 16);',
    'w == 0x4d0053 && n.slot == 6 && n.bytes == 77',
  ),
  whenKnown(
    'a structure is copied to a number and back',
    'Key k{3, 5, 77}; uint32_t w; std::memcpy(&w, &k, sizeof w); Halves h; std::memcpy(&h, &w, sizeof h);',
    'w == 0x4d0053 && h.a == 0x53 && h.b == 77',
  ),
  whenKnown('a large number', 'auto d = std::bit_cast<uint64_t>(1.0);', 'd == 0x3ff0000000000000ull'),
  whenKnown('their sizes', '', 'sizeof(Word) == 4 && sizeof(Unnamed) == 16 && sizeof(Packed) == 7 && sizeof(Gap) == 8'),
]);
