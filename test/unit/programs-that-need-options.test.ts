/** Programs that end with their usage where nobody gives them what they need: what they do otherwise is looked at, and said with certainty. */

import { describe, expect, it } from 'vitest';
import { analyseText } from '../support/engine.ts';

const head =
  '#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n#include <string>\n#include <getopt.h>\n';
const work = 'float *d; cudaMalloc(&d, 64); cudaFree(d);';

/** What stands in front of the work, in `main`; what stands in front of `main`. */
const programs: readonly (readonly [what: string, options: string, before?: string])[] = [
  [
    'a file by getopt, and mistakes that are counted',
    `char *in = NULL; int c, errors = 0; float t = 0; extern char *optarg;
     while ((c = getopt(argc, argv, "ht:i:")) != -1) { switch (c) { case 'h': puts("usage"); exit(0); case 't': t = atof(optarg); break; case 'i': in = optarg; break; case '?': errors++; } }
     if (t < 0 || t > 1) puts("bad"); if (in == NULL) errors++; else if (fopen(in, "r") == NULL) errors++; if (errors) { puts("usage"); exit(1); }`,
  ],
  [
    'a number by getopt',
    `int c, dev = 0, n = 0; while ((c = getopt(argc, argv, "d:n:")) != -1) { switch (c) { case 'd': dev = atoi(optarg); break; case 'n': n = atoi(optarg); break; } } if (n <= 0) return 1; cudaSetDevice(dev);`,
  ],
  [
    'positions',
    'int n = 100, b; if (argc <= 1) { puts("none"); } else { n = atoi(argv[1]); } if (argc <= 2) { puts("none"); return -1; } b = atoi(argv[2]); printf("%d %d", n, b);',
  ],
  [
    'one by one',
    'const char *in = nullptr; int n = 0; bool loud = false; for (int i = 1; i < argc; i++) { if (!strcmp(argv[i], "-v")) loud = true; else if (!strcmp(argv[i], "-n")) n = atoi(argv[++i]); else in = argv[i]; } if (!in) return 1; if (n < 1) return 1; if (loud) puts(in);',
  ],
  [
    'an object that holds them',
    'Options o = parse(argc, argv); if (o.help || o.input.empty() || o.n <= 0) { puts("usage"); return 1; } if (o.device >= 0) cudaSetDevice(o.device);',
    'struct Options { std::string input; int n = 0; int device = -1; bool help = false; };\nstatic Options parse(int argc, char **argv) { Options o; for (int i = 1; i < argc; i++) { std::string a = argv[i]; if (a == "--input") o.input = argv[++i]; else if (a == "-n") o.n = std::stoi(argv[++i]); else if (a == "--device") o.device = std::stoi(argv[++i]); else o.help = true; } return o; }',
  ],
  [
    'globals',
    'if (parse(argc, argv) != 0) { puts("usage"); return 1; } if (!name) return 1;',
    "static int iters; static size_t bytes; static char *name;\nstatic int parse(int argc, char **argv) { int o; while ((o = getopt_long(argc, argv, \"i:b:n:\", NULL, NULL)) >= 0) { if (o == 'i') iters = atoi(optarg); else if (o == 'b') bytes = strtoull(optarg, NULL, 10); else if (o == 'n') name = strdup(optarg); else return -1; } if (!iters || !bytes) return -1; return 0; }",
  ],
];

describe('a program that needs options', () => {
  it.each(programs)('%s', async (_, options, before = '') => {
    const program = (end: string): string =>
      `${head}${before}\nint main(int argc, char **argv) {\n${options}\n${work} ${end}\n}\n`;
    const found = await analyseText(program('cudaFree(d);'));
    expect(found.findings.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error malloc-double-free']);
    expect((await analyseText(program(''))).findings).toEqual([]);
  });
});
