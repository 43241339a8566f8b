/** The command, with its output caught: exit codes, shapes, and what it says when it is used wrongly. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCommand } from '../../../src/cli/check.ts';
import { explainCommand } from '../../../src/cli/explain.ts';
import { graphCommand } from '../../../src/cli/graph.ts';
import type { CommandIo } from '../../../src/cli/io.ts';
import { rulesCommand } from '../../../src/cli/rules.ts';
import { simulateCommand } from '../../../src/cli/simulate.ts';
import { help, version } from '../../../src/cli/usage.ts';
import { repository, testEngine } from '../../support/engine.ts';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  readonly written: ReadonlyMap<string, string>;
}

type Command = (words: readonly string[], io: CommandIo) => Promise<number>;

async function run(command: Command, ...words: readonly string[]): Promise<Outcome> {
  let out = '';
  let error = '';
  const written = new Map<string, string>();
  const code = await command(words, {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      error += text;
    },
    readFile: (file) => readFile(file),
    writeFile: async (file, text) => {
      written.set(file, text);
    },
    loadEngine: testEngine,
  });
  return { code, out, error, written };
}

const fixture = (name: string): string => path.join(repository, 'test', 'fixtures', name);
const example = (name: string): string => path.join(repository, 'examples', name);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'graphmem-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string | Uint8Array): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

describe('check', () => {
  it('ends with 0 where nothing is wrong', async () => {
    const { code, out, error } = await run(checkCommand, fixture('branching-ordered.cu'));
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain('nothing found');
  });

  it('reads a program with the source files that its compilation database names', async () => {
    const header = '#include <cuda_runtime.h>\nvoid drop(float *p);\n';
    const program = `${header}int main() { float *p; cudaMalloc(&p, 64); drop(p); cudaFree(p); }\n`;
    const written = ['alone', 'built'].map((name) => {
      for (const part of ['app', 'core']) mkdirSync(path.join(folder, name, part), { recursive: true });
      const core = file(`${name}/core/memory.cu`, `${header}void drop(float *p) { cudaFree(p); }\n`);
      return [file(`${name}/app/main.cu`, program), core];
    });
    const commands = written[1]!.map((name) => ({ directory: folder, file: name, command: `nvcc -c ${name}` }));
    file('built/compile_commands.json', JSON.stringify(commands));
    const alone = await run(checkCommand, written[0]![0]!, '--gaps');
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('unknown function: drop')]);
    const { code, out } = await run(checkCommand, written[1]![0]!);
    expect([code, out]).toEqual([1, expect.stringContaining('malloc-double-free')]);
  });

  it('ends with 1 at an error and says where', async () => {
    const { code, out } = await run(checkCommand, example('branching.cu'));
    expect(code).toBe(1);
    expect(out).toMatch(/branching\.cu:\d+:\d+: error\[graph-use-free-race\]: /);
    expect(out).toMatch(/fix: /);
  });

  it.each([
    ['error', 'upload-to-another-stream.cu', 0],
    ['warning', 'upload-to-another-stream.cu', 0],
    ['hint', 'upload-to-another-stream.cu', 1],
    ['error', 'one-stream-never-freed.cu', 0],
    ['warning', 'one-stream-never-freed.cu', 1],
    ['hint', 'one-stream-never-freed.cu', 1],
    ['never', 'branching.cu', 0],
  ])('--fail-on %s for %s ends with %d', async (severity, name, expected) => {
    expect((await run(checkCommand, '--fail-on', severity, fixture(name))).code).toBe(expected);
  });

  it('walks folders', async () => {
    const { code, out } = await run(checkCommand, path.join(repository, 'examples'));
    expect(code).toBe(1);
    expect(out).toMatch(/5 files: /);
  });

  it('gives JSON', async () => {
    const { out } = await run(checkCommand, '--format=json', example('branching.cu'));
    const report = JSON.parse(out);
    expect(Object.keys(report)).toEqual(['version', 'findings', 'gaps', 'files']);
    expect(report.findings).toHaveLength(2);
    expect(report.files[0].status).toBe('ok');
  });

  it('gives SARIF', async () => {
    const { out } = await run(checkCommand, '--format', 'sarif', example('branching.cu'));
    const report = JSON.parse(out);
    expect(report.version).toBe('2.1.0');
    expect(report.runs[0].results.map((each: { ruleId: string }) => each.ruleId)).toEqual([
      'graph-use-free-race',
      'graph-use-before-alloc',
    ]);
  });

  it('names files in SARIF by URIs', async () => {
    const uriOf = async (name: string): Promise<string> => {
      const { out } = await run(checkCommand, '--format', 'sarif', name);
      return JSON.parse(out).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
    };
    const text = readFileSync(example('branching.cu'), 'utf8');
    const odd = file('100% #1.cu', text);
    expect(await uriOf(odd)).toBe(pathToFileURL(odd).href);
    expect(await uriOf(path.relative('.', odd))).toMatch(/^\.\.\/.*\/100%25%20%231\.cu$/);
    if (path.sep === '/')
      expect(await uriOf(path.relative('.', file('a\\b.cu', text)))).toMatch(/^\.\.\/.*\/a%5Cb\.cu$/);
  });

  it('reads lines however they end', async () => {
    const text = readFileSync(fixture('branching-without-b-to-free.cu'), 'utf8');
    const places = await Promise.all(
      ['\n', '\r\n', '\r'].map(async (end) => {
        const { out } = await run(checkCommand, '--format=json', file('ends.cu', text.replaceAll('\n', end)));
        return JSON.parse(out).findings.map((each: { range: unknown }) => each.range);
      }),
    );
    expect(places[0]).toHaveLength(1);
    expect(places).toEqual([places[0], places[0], places[0]]);
  });

  it('lists what was not understood', async () => {
    const { out } = await run(checkCommand, '--gaps', fixture('auto-free.cu'));
    expect(out).toContain('unknown function: consumerFromLibrary');
    expect(out).toContain('"name": "consumerFromLibrary"');
  });

  it('counts the calls of CUDA in the text, and not what the program defines under names like theirs', async () => {
    const own = file(
      'own.cu',
      `#include <cuda_runtime.h>
struct cudaStreamHolder {
  cudaStreamHolder() { cudaStreamCreate(&stream); }
  ~cudaStreamHolder() { cudaStreamDestroy(stream); }
  cudaStream_t stream;
};
void cudaGraphsByHand(cudaStream_t stream) { cudaStreamSynchronize(stream); }
int main() {
  auto holder = cudaStreamHolder();
  cudaGraphsByHand(holder.stream);
  cudaGraphsElsewhere(holder.stream);
}
`,
    );
    const { out } = await run(checkCommand, '--gaps', own);
    expect(out).toContain('in the text: 4, 75.0 % interpreted');
  });

  it.each([
    ['no path', [], 'name at least one file or folder'],
    ['an unknown option', ['--fast', 'x.cu'], 'no such option: --fast'],
    ['an unknown short option', ['-q', 'x.cu'], 'no such option: -q'],
    ['-D without its value', ['x.cu', '-D'], '--define needs a value'],
    ['an unknown format', ['--format', 'xml', 'x.cu'], '--format must be one of text, json, sarif; it is "xml"'],
    ['an unknown severity', ['--fail-on', 'maybe', 'x.cu'], '--fail-on must be one of'],
    ['an option without its value', ['x.cu', '--format'], '--format needs a value'],
    ['a flag with a value', ['--gaps=yes', 'x.cu'], '--gaps takes no value'],
    ['a symbol that is none', ['-D', '1X', fixture('branching.cu')], '--define takes NAME or NAME=VALUE; it is "1X"'],
    ['a path that is not there', ['not-there.cu'], 'no such file or folder: not-there.cu'],
    [
      'a model file that is not there',
      ['--models', 'not-there.json', fixture('branching.cu')],
      'no such file or folder: not-there.json',
    ],
  ])('refuses %s', async (_, words, message) => {
    const { code, error } = await run(checkCommand, ...words);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it.each([
    ['-D', 'TWICE=1'],
    ['-DTWICE=1', ''],
    ['--define', 'TWICE=1'],
    ['--define=TWICE=1', ''],
  ])('%s defines a symbol', async (option, value) => {
    const twice = file(
      'twice.cu',
      `#include <cuda_runtime.h>
int main() {
  float *p;
  cudaMalloc(&p, 4);
#if TWICE
  cudaFree(p);
#endif
  cudaFree(p);
}
`,
    );
    expect((await run(checkCommand, twice)).code).toBe(0);
    const { code, out } = await run(checkCommand, twice, ...[option, value].filter((word) => word !== ''));
    expect(code).toBe(1);
    expect(out).toContain('malloc-double-free');
  });

  it('takes what stands behind -- for paths', async () => {
    const { code, error } = await run(checkCommand, '--', '--fast.cu');
    expect(code).toBe(2);
    expect(error).toMatch(/no such file.*--fast\.cu/);
  });

  it('refuses a model file with a mistake and says where it is', async () => {
    const models = file('models.json', '{ "rows": [{ "name": "f", "effcts": [] }] }');
    const { code, error } = await run(checkCommand, '--models', models, fixture('branching.cu'));
    expect(code).toBe(2);
    expect(error).toContain('rows[0]: no such field: "effcts"');
  });

  it('sets binary files aside and goes on', async () => {
    const binary = file('binary.cu', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]));
    const { code, out, error } = await run(checkCommand, '--format', 'json', binary, example('branching.cu'));
    expect(code).toBe(1);
    expect(error).toContain('binary.cu: not read: a binary file');
    const report = JSON.parse(out);
    expect(report.files.map((each: { status: string }) => each.status)).toEqual(['quarantined', 'ok']);
    expect(report.findings).toHaveLength(2);
  });

  it('ends with 2 where a file that was named could not be read, and says how many', async () => {
    const binary = file('named.cu', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]));
    const { code, out } = await run(checkCommand, binary);
    expect([code, out]).toEqual([2, '1 file: nothing found; 1 not read\n']);
  });

  it('says of a binary file in a folder that it was not read, and ends as if it were not there', async () => {
    mkdirSync(path.join(folder, 'videos'));
    file('videos/stream.ts', new Uint8Array([0x47, 0, 0, 0]));
    const { code, error } = await run(checkCommand, path.join(folder, 'videos'));
    expect([code, error]).toEqual([0, expect.stringContaining('stream.ts: not read: a binary file')]);
  });

  it('says when there is nothing to read', async () => {
    mkdirSync(path.join(folder, 'empty'));
    const { code, error } = await run(checkCommand, path.join(folder, 'empty'));
    expect(code).toBe(0);
    expect(error).toMatch(/^graphmem: no C\+\+, CUDA or TypeScript files in .*empty\n$/);
  });

  it.each(['utf16le', 'utf16be'])('reads text in %s with its mark', async (encoding) => {
    const bytes = Buffer.from(
      '\ufeff#include <cuda_runtime.h>\nint main() { void *p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p); }\n',
      'utf16le',
    );
    const text = file(`${encoding}.cu`, encoding === 'utf16le' ? bytes : bytes.swap16());
    const { code, out } = await run(checkCommand, text);
    expect(code).toBe(1);
    expect(out).toContain(':2:55: error[malloc-double-free]');
  });

  it('analyses a file that calls CUDA through a function of a model only', async () => {
    const models = file(
      'pool.json',
      `{ "rows": [
        { "name": "takeMemory", "effects": [{ "verb": "memory.allocateAsync", "pointer": "return", "bytes": ["arg0"], "stream": "arg1" }] },
        { "name": "giveMemory", "effects": [{ "verb": "memory.freeAsync", "pointer": "arg0", "stream": "arg1" }] }] }`,
    );
    const text = 'int main() { void *p = takeMemory(4, 0); giveMemory(p, 0); giveMemory(p, 0); }\n';
    const { out } = await run(checkCommand, '--models', models, file('pool.cpp', text));
    expect(out).toContain('error[async-double-free]');
  });

  it('reads text that is not UTF-8', async () => {
    const latin = file(
      'latin.cu',
      Buffer.from('// caf\xe9\n#include <cuda_runtime.h>\nint main() { cudaFree(0); }\n', 'latin1'),
    );
    expect((await run(checkCommand, latin)).code).toBe(0);
  });

  it('takes text with other line ends, a mark at the start, and no end', async () => {
    const text = '\ufeff#include <cuda_runtime.h>\r\nint main() {\r\n  cudaFree(0);\r\n';
    expect((await run(checkCommand, file('marks.cu', text))).code).toBe(0);
  });

  it('sets files aside that are too large', async () => {
    const huge = file('huge.cu', Buffer.alloc((16 << 20) + 1, 'x'));
    const { code, error } = await run(checkCommand, huge);
    expect([code, error]).toEqual([2, expect.stringContaining('larger than 16 MiB')]);
  });

  it('survives deep nesting', async () => {
    const deep = `#include <cuda_runtime.h>\nint main() { cudaFree(0); int x = ${'('.repeat(3000)}1${')'.repeat(3000)}; ${'{'.repeat(2000)}${'}'.repeat(2000)} }\n`;
    const { code } = await run(checkCommand, file('deep.cu', deep));
    expect([0, 1]).toContain(code);
  });

  it('says once what is found in a file that others import', async () => {
    const text = `export function plan(graph: Graph): void {
  const { node, dptr: data } = cudaGraphAddMemAllocNode(graph, [], { bytesize: 64 });
  cudaGraphAddKernelNode(graph, [node], { func: 'late', reads: [data] });
  cudaGraphAddMemFreeNode(graph, [node], data);
}
`;
    const imported = file('imported-plan.ts', text);
    const main = file('imports-plan.ts', `import { plan } from './imported-plan';\nplan(cudaGraphCreate());\n`);
    const { out } = await run(checkCommand, main, imported);
    expect(out.match(/error\[graph-use-free-race\]/g)).toHaveLength(1);
    expect(out).toMatch(/imported-plan\.ts:3:3: /);
  });

  it('survives includes that include each other', async () => {
    file('one.cuh', '#include "two.cuh"\n#include <cuda_runtime.h>\n');
    file('two.cuh', '#include "one.cuh"\nstatic void f(cudaStream_t s) { cudaStreamSynchronize(s); }\n');
    const main = file('cyclic.cu', '#include "one.cuh"\nint main() { f(0); }\n');
    expect((await run(checkCommand, main)).code).toBe(0);
  });

  it('has nothing to say about files without CUDA', async () => {
    const { code, out } = await run(checkCommand, '--format', 'json', file('plain.cpp', 'int main() { return 0; }\n'));
    expect(code).toBe(0);
    expect(JSON.parse(out).files[0].status).toBe('ok');
  });
});

describe('graph', () => {
  it('gives JSON', async () => {
    const { code, out } = await run(graphCommand, example('branching.cu'));
    expect(code).toBe(0);
    const document = JSON.parse(out);
    expect(document.version).toBe(1);
    expect(document.graphs[0].nodes.map((node: { kind: string }) => node.kind)).toEqual([
      'memAlloc',
      'kernel',
      'kernel',
      'kernel',
      'kernel',
      'memFree',
      'kernel',
    ]);
    expect(document.launches.map((launch: { nth: number }) => launch.nth)).toEqual([1, 2, 3]);
  });

  it('gives DOT and Mermaid', async () => {
    const dot = (await run(graphCommand, '--format', 'dot', example('branching.cu'))).out;
    expect(dot).toMatch(/^digraph "graph 1" \{\n(?:.*\n)*\}\n$/);
    expect(dot).toContain('n0 -> n1;');
    const mermaid = (await run(graphCommand, '--format', 'mermaid', example('branching.cu'))).out;
    expect(mermaid).toMatch(/^flowchart TD\n {2}subgraph g0 \["graph"\]\n/);
    expect(mermaid).toContain('    g0n0 --> g0n1\n');
  });

  it('gives one Mermaid diagram of several graphs', async () => {
    const { out } = await run(graphCommand, '--format', 'mermaid', example('producer-consumers.cu'));
    expect(out.match(/flowchart TD/g)).toHaveLength(1);
    expect(out.match(/^ {2}subgraph g\d /gm)).toHaveLength(3);
  });

  it('takes models', async () => {
    const models = file(
      'node.json',
      '{ "rows": [{ "name": "newGraph", "effects": [{ "verb": "graph.create", "graph": "*arg0" }] }] }',
    );
    const text = file(
      'modelled.cpp',
      'int main() { cudaGraph_t graph; newGraph(&graph); cudaGraphNode_t node; cudaGraphAddEmptyNode(&node, graph, nullptr, 0); }\n',
    );
    const graphs = async (...words: string[]) => JSON.parse((await run(graphCommand, text, ...words)).out).graphs[0];
    expect((await graphs('--models', models)).name).toBe('graph');
    expect((await run(graphCommand, '--models', 'not-there.json', text)).error).toContain('not-there.json');
    expect((await run(simulateCommand, '--models', 'not-there.json', text)).error).toContain('not-there.json');
  });

  it.each([
    ['no file', [], 'name one file'],
    ['two files', ['a.cu', 'b.cu'], 'name one file'],
    ['an entry that is not there', ['--entry', 'nothing', example('branching.cu')], 'no entry "nothing"'],
    ['a file that is not there', ['not-there.cu'], 'not-there.cu: no such file or folder'],
    ['a folder', [path.join(repository, 'examples')], 'examples: it is a folder'],
  ])('refuses %s', async (_, words, message) => {
    const { code, error } = await run(graphCommand, ...words);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });
});

describe('simulate', () => {
  it('tells the launches as text', async () => {
    const { code, out } = await run(simulateCommand, example('producer-consumers.cu'));
    expect(code).toBe(0);
    expect(out).toContain('maps 96 MiB: first launch');
    expect(out).toMatch(/peak: .* used, .* reserved/);
  });

  it('gives JSON', async () => {
    const { out } = await run(simulateCommand, '--format', 'json', example('branching.cu'));
    const report = JSON.parse(out);
    const launches = report.operations.filter((each: { op: string }) => each.op === 'cudaGraphLaunch');
    expect(launches.map((each: { result: string }) => each.result)).toEqual([
      'cudaSuccess',
      'cudaSuccess',
      'cudaSuccess',
    ]);
    expect(report.allocations).toEqual([expect.objectContaining({ graph: 0, bytes: 64 << 20, offset: 0 })]);
  });

  it('says of which loop only the first rounds are shown', async () => {
    const text = (rounds: number) => `#include <cuda_runtime.h>
int main() {
  cudaStream_t s; cudaStreamCreate(&s); void *p; cudaMalloc(&p, 4);
  for (int i = 0; i < ${rounds}; i++)
    cudaMemsetAsync(p, 0, 4, s);
}
`;
    const many = await run(simulateCommand, file('many-rounds.cu', text(900)));
    expect(many.out).toMatch(
      /many-rounds\.cu:4: the loop asks the same in every round: only the first rounds are shown\n/,
    );
    const few = await run(simulateCommand, file('few-rounds.cu', text(9)));
    expect(few.out).not.toContain('rounds are shown');
  });

  it('says nothing of addresses where a graph has none', async () => {
    const text = file(
      'empty-node.cu',
      `#include <cuda_runtime.h>
int main() {
  cudaGraph_t g; cudaGraphNode_t n; cudaGraphExec_t e;
  cudaGraphCreate(&g, 0);
  cudaGraphAddEmptyNode(&n, g, nullptr, 0);
  cudaGraphInstantiate(&e, g, 0);
  cudaGraphLaunch(e, 0);
}
`,
    );
    expect((await run(simulateCommand, text)).out).toContain('\ngraph g: 1 node\n');
  });

  it('takes values for what the text leaves open', async () => {
    const sized = example('sized-by-input.cu');
    const open = await run(simulateCommand, sized);
    expect(open.out).toContain('not known from the text: width, height');
    const set = await run(simulateCommand, sized, '--set', 'width=3840', '--set', 'height=2160');
    expect(set.out).toContain('15.82 MiB');
    expect(set.out).toContain('cudaErrorInvalidValue');
  });

  it('writes to a file', async () => {
    const { out, written } = await run(simulateCommand, example('branching.cu'), '--output', 'result.txt');
    expect(out).toBe('');
    expect(written.get('result.txt')).toContain('peak: ');
  });

  it.each([
    ['a setting without a value', ['--set', 'n'], '--set takes NAME=NUMBER; it is "n"'],
    ['a setting that is no number', ['--set', 'n=many'], '--set takes NAME=NUMBER; it is "n=many"'],
    ['two values for one name', ['--set', 'width=3', '--set', 'width=4'], '--set gives width two values'],
    ['a name that nothing hangs on', ['--set', 'depth=3'], 'no size in'],
    ['an unknown format', ['--format', 'pdf'], '--format must be one of'],
    ['an entry that is not there', ['--entry', 'main'], 'no entry "main"'],
  ])('refuses %s', async (_, words, message) => {
    const { code, error } = await run(simulateCommand, example('sized-by-input.cu'), ...words);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  it('refuses a file without CUDA', async () => {
    const { code, error } = await run(simulateCommand, file('nothing.cpp', 'int main() {}\n'));
    expect(code).toBe(2);
    expect(error).toContain('nothing here concerns CUDA');
  });
});

describe('rules and explain', () => {
  it('lists every rule', async () => {
    const { out } = await run(rulesCommand, '--format', 'json');
    const { rules } = JSON.parse(out);
    expect(rules.length).toBeGreaterThanOrEqual(42);
    expect((await run(rulesCommand)).out).toContain(`# ${rules[0].id}`);
    expect((await run(rulesCommand, '--format', 'yaml')).code).toBe(2);
  });

  it('explains a rule by id or number', async () => {
    const byId = await run(explainCommand, 'graph-use-free-race');
    expect(byId.code).toBe(0);
    expect((await run(explainCommand, 'a3')).out).toBe(byId.out);
  });

  it('helps with half a name', async () => {
    const { code, error } = await run(explainCommand, 'free-race');
    expect(code).toBe(2);
    expect(error).toContain('did you mean graph-use-free-race');
    expect((await run(explainCommand)).code).toBe(2);
    expect((await run(explainCommand, 'A1', 'A2')).error).toContain('name one rule');
    expect((await run(rulesCommand, 'A1')).code).toBe(2);
  });
});

describe('help', () => {
  it('names every option that a command takes, and no other', async () => {
    const commands: Readonly<Record<string, Command>> = {
      check: checkCommand,
      graph: graphCommand,
      simulate: simulateCommand,
    };
    for (const [name, command] of Object.entries(commands)) {
      const options = [...(help[name] ?? '').matchAll(/--([a-z]+(?:-[a-z]+)*)/g)].map((match) => match[1] ?? '');
      for (const option of options)
        expect((await run(command, `--${option}`)).error, `${name} --${option}`).not.toContain('no such option');
    }
  });

  it('says the version of the package', () => {
    const text = readFileSync(path.join(repository, 'package.json'), 'utf8');
    expect(version).toBe(JSON.parse(text).version);
  });
});
