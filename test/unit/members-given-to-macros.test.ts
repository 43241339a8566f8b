/** Macros of C that are given more than the name of a member, and what a macro keeps from use to use. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <cuda.h>
#include <stdio.h>
static float *make(void) { float *p; cudaMalloc((void **)&p, 64); return p; }
static struct { float *first; struct { float *second; } inner; float *rest[4]; } held;
static struct table { cudaError_t (*release)(void *); cudaError_t (*wait)(void); } table = { cudaFree, cudaDeviceSynchronize };
static struct table *const driver = &table;
static int report(cudaError_t result, int line, const char *format, ...) { return result != cudaSuccess; }
`;

const twice = (macro: string, use: string, other: string): readonly [string, string, string] => [
  macro,
  `held.first = held.rest[2] = held.inner.second = make(); cudaFree(held.first); ${use};`,
  `held.first = held.rest[2] = held.inner.second = make(); cudaFree(held.first); ${other};`,
];

describeRows('what is given to a macro and stands behind a dot or an arrow', head, [
  [
    'a call of a table',
    'malloc-double-free',
    ...twice(
      '#define DRIVER(call) report(table.call, __LINE__, "%s", #call)',
      'DRIVER(release(held.first))',
      'DRIVER(wait())',
    ),
  ],
  [
    'a call through a pointer, by a macro that asks for statements',
    'malloc-double-free',
    ...twice(
      '#define DRIVER(call) do { cudaError_t result_ = driver->call; if (result_ != cudaSuccess) return 1; } while (0)',
      'DRIVER(release(held.first))',
      'DRIVER(wait())',
    ),
  ],
  [
    'handed on by another macro',
    'malloc-double-free',
    ...twice(
      '#define DRIVER(call) report(table.call, __LINE__, "")\n#define TRY(what) if (DRIVER(what)) return 1',
      'TRY(release(held.first))',
      'TRY(wait())',
    ),
  ],
  [
    'all that is given',
    'malloc-double-free',
    ...twice('#define DRIVER(...) driver->__VA_ARGS__', 'DRIVER(release(held.first))', 'DRIVER(wait())'),
  ],
  [
    'a member of a member',
    'malloc-double-free',
    ...twice('#define DROP(member) cudaFree(held.member)', 'DROP(inner.second)', 'driver->wait()'),
  ],
  [
    'an element of a member',
    'malloc-double-free',
    ...twice('#define DROP(o, member) cudaFree((o)->member)', 'DROP(&held, rest[2])', 'driver->wait()'),
  ],
  [
    'no more than a name',
    'malloc-double-free',
    ...twice('#define DROP(o, member) cudaFree((o)->member)', 'DROP(&held, first)', 'driver->wait()'),
  ],
]);

describeRows('a static variable in the body of a macro', head, [
  [
    'is another one for each use',
    'malloc-double-free',
    '#define ONCE(what) do { static int done; if (!done) { done = 1; what; } } while (0)',
    'float *p = make(); ONCE(printf("begin")); ONCE(cudaFree(p)); ONCE(cudaFree(p));',
    'float *p = make(); ONCE(printf("begin")); for (int i = 0; i < 2; i++) ONCE(cudaFree(p));',
  ],
  [
    'an entry point that each use asks for once',
    'malloc-double-free',
    `#define ENTRY(name) ({ static decltype(&name) entry; cudaDriverEntryPointQueryResult how; \\
  if (!entry) cudaGetDriverEntryPointByVersion(#name, (void **)&entry, 12000, cudaEnableDefault, &how); entry; })`,
    'CUdeviceptr p; ENTRY(cuMemAlloc)(&p, 64); ENTRY(cuMemFree)(p); ENTRY(cuMemFree)(p);',
    'CUdeviceptr p; ENTRY(cuMemAlloc)(&p, 64); ENTRY(cuMemFree)(p);',
  ],
]);
