/** Texts made by `std::format`, addresses through `std::bit_cast`, and loops over what free functions say the ends of. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <bit>
#include <cstdint>
#include <format>
#include <map>
#include <string>
`;

const begun = `cudaStream_t s; cudaStreamCreate(&s); float *p; float *other;
  cudaMallocAsync(&p, 64, s); cudaMallocAsync(&other, 64, s);`;
const ended = 'cudaStreamSynchronize(s); cudaStreamDestroy(s);';

/** A buffer that is freed through another way to it, and then once more; or the other buffer. */
const through = (way: string, freed: string): [string, string] => {
  const program = (second: string): string =>
    `${begun} ${way} cudaFreeAsync(${freed}, s); cudaFreeAsync(${second}, s); ${ended}`;
  return [program('p'), program('other')];
};

const free = `struct Buffers { float *all[2]; };
float **begin(Buffers &b) { return b.all; }
float **end(Buffers &b) { return b.all + 1; }
struct Others { int n; };
int *begin(Others &o) { return &o.n; }`;

const rows: readonly Row[] = [
  [
    'a key that a format makes',
    'async-double-free',
    '',
    ...through(
      'std::map<std::string, float *> m; for (int i = 0; i < 2; ++i) m[std::format("b{}", i)] = i == 0 ? other : p;',
      'm.at("b1")',
    ),
  ],
  [
    'fields with places, widths and kinds',
    'async-double-free',
    '',
    ...through(
      `std::string name = "out"; std::map<std::string, float *> m;
  m[std::format("{1}_{0:03d}{{}}", 7, name)] = p; m[std::format("{:x}|{:>2}", 255, 5)] = other;`,
      'm.count("ff| 5") ? m.at("out_007{}") : other',
    ),
  ],
  [
    'what is not shown as a whole number is not guessed',
    'async-double-free',
    'static float half() { return 0.5f; }',
    '',
    `${begun} if (std::format("{}", half() * 2.0f) == "2") cudaFreeAsync(p, s); cudaFreeAsync(p, s); ${ended}`.replace(
      'cudaFreeAsync(p, s); cudaFreeAsync(p, s);',
      'cudaFreeAsync(other, s); else cudaFreeAsync(other, s); cudaFreeAsync(p, s);',
    ),
  ],
  [
    'an address through a number of as many bits',
    'async-double-free',
    '',
    ...through('auto bits = std::bit_cast<std::uint64_t>(p);', 'std::bit_cast<float *>(bits)'),
  ],
  [
    'a loop over what free functions say the ends of',
    'async-double-free',
    free,
    `${begun} Buffers b{{p, other}}; for (float *each : b) cudaFreeAsync(each, s); cudaFreeAsync(p, s); ${ended}`,
    `${begun} Buffers b{{p, other}}; for (float *each : b) cudaFreeAsync(each, s); cudaFreeAsync(other, s); ${ended}`,
  ],
];

describeRows('formats, bit casts and ranges of free functions', head, rows);
