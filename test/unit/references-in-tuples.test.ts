/** Pairs and tuples of references hold the things themselves. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <tuple>
#include <utility>
#include <vector>
struct Team {
  cudaStream_t s;
  Team() { cudaStreamCreate(&s); }
  ~Team() { cudaStreamDestroy(s); }
};
using Step = std::tuple<int, const Team &>;`;
const around = (body: string): string =>
  `float *p, *q; cudaMalloc(&p, 4); cudaMalloc(&q, 4); float *other = p; ${body} cudaFree(p); cudaFree(q);`;

const rows: readonly Row[] = [
  [
    'a tuple of references',
    'malloc-double-free',
    '',
    around('std::tuple<float *&, float *&> t(other, q); std::get<0>(t) = p; cudaFree(other);'),
    around('std::tuple<float *&, float *&> t(other, q); cudaMalloc(&std::get<0>(t), 4); cudaFree(other);'),
  ],
  [
    'a pair of references',
    'malloc-double-free',
    '',
    around('float *none = nullptr; std::pair<float *&, float *&> t(none, other); t.first = t.second; cudaFree(none);'),
    around('float *none = nullptr; std::pair<float *&, float *&> t(other, none); t.first = t.second; cudaFree(other);'),
  ],
  ...[
    'Step step{1, *team};',
    'Step step{1, *team}; Step copy = step;',
    'auto step = Step{1, *team};',
    'Step steps[] = {Step{1, *team}, {2, *team}};',
    'std::vector<Step> steps{{1, *team}, {2, *team}}; auto copy = steps;',
  ].map(
    (declared): Row => [
      `objects stay where they are that a tuple refers to: ${declared}`,
      'handle-use-after-destroy',
      '',
      `Team *team = new Team; { ${declared} } delete team; cudaStreamSynchronize(team->s);`,
      `Team *team = new Team; { ${declared} } cudaStreamSynchronize(team->s); delete team;`,
    ],
  ),
];

describeRows('references in tuples', head, rows);
