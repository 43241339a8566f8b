/** Numbers that are read from a person, a file or the command line: nobody knows them, but each is the same wherever it is used. */

import { describeRows, type Row } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
`;
const rule = 'copy-out-of-range';
const main = (body: string): string => `int main(int argc, char **argv) { float *d; ${body} cudaFree(d); return 0; }`;
const read = (how: string): Row => [
  how,
  rule,
  '',
  main(`${how} cudaMalloc(&d, n * sizeof(float)); cudaMemset(d, 0, n * sizeof(double));`),
  main(`${how} cudaMalloc(&d, n * sizeof(float)); cudaMemset(d, 0, n * sizeof(float));`),
];

describeRows('numbers from outside', head, [
  read('int n; std::cin >> n;'),
  read('int n = 0; std::ifstream in("sizes"); in >> n;'),
  read('int n; if (scanf("%d", &n) != 1) return 1;'),
  read('FILE *f = fopen("sizes", "rb"); size_t n; fread(&n, sizeof n, 1, f);'),
  read('int n = 1024; if (argc > 1) n = atoi(argv[1]);'),
  read('size_t n = 0; n = (size_t)std::stoul(argv[1]);'),
  read('int n; std::cin >> n; if (n <= 0) return 1;'),
  [
    'of two numbers',
    rule,
    '',
    main('int n, m; std::cin >> n >> m; cudaMalloc(&d, n * m * 4); cudaMemset(d, 0, n * m * 8);'),
    main(
      'int n, m; std::cin >> n >> m; cudaMalloc(&d, n * m * 4); for (int i = 0; i < n; i++) cudaMemset(d + i * m, 0, m * 4);',
    ),
  ],
  [
    'read anew it is another number',
    '',
    '',
    '',
    main('int n; std::cin >> n; cudaMalloc(&d, n * 4); std::cin >> n; cudaMemset(d, 0, n * 8);'),
  ],
  [
    'parsed anew it is another number',
    '',
    '',
    '',
    main('int n; n = atoi(argv[1]); cudaMalloc(&d, n * 4); n = atoi(argv[2]); cudaMemset(d, 0, n * 8);'),
  ],
  [
    'each round reads its own',
    '',
    '',
    '',
    main(
      'cudaMalloc(&d, 4); int n = 0; while (std::cin >> n) { float *q; cudaMalloc(&q, n * 4); cudaMemset(q, 0, n * 4); cudaFree(q); }',
    ),
  ],
  [
    'a question about one says nothing of the next',
    'malloc-double-free',
    '',
    main(
      'int n; std::cin >> n; cudaMalloc(&d, 4); if (n == 3) cudaFree(d); std::cin >> n; if (n == 4) printf("four");',
    ),
    main(
      'int n; std::cin >> n; cudaMalloc(&d, 4); if (n == 3) printf("three"); std::cin >> n; if (n == 4) printf("four");',
    ),
  ],
]);
