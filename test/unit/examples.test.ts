/** The examples say in their first comment what the tool reports; the types of `graphmem/runtime` are complete. */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { typescriptRuntimeModel } from '../../src/models/typescript-runtime.ts';
import { analyseRepositoryFile, repository } from '../support/engine.ts';

const examples = readdirSync(path.join(repository, 'examples'))
  .filter((name) => /\.(?:cu|ts)$/.test(name))
  .sort();

/** `error[rule]` in the comment at the top. */
function announced(text: string): readonly string[] {
  const comment = text.slice(0, text.search(/^[^/]/m));
  return [...comment.matchAll(/\b(error|warning)\[([\w-]+)\]/g)].map((match) => `${match[1]} ${match[2]}`).sort();
}

describe('examples', () => {
  it.each(examples)('%s is reported as its comment says', async (name) => {
    const file = `examples/${name}`;
    const analysis = await analyseRepositoryFile(file);
    const loud = analysis.findings.filter((finding) => finding.severity === 'error' || finding.severity === 'warning');
    expect(loud.map((finding) => `${finding.severity} ${finding.rule}`).sort()).toEqual(
      announced(readFileSync(path.join(repository, file), 'utf8')),
    );
    expect(analysis.gaps).toEqual([]);
  });

  it.each(examples)('%s shows a graph and a simulation', async (name) => {
    const scene = (await analyseRepositoryFile(`examples/${name}`)).scene({ settings: { width: 3840, height: 2160 } });
    expect(scene.graphs.length).toBeGreaterThan(0);
    expect(scene.peak.used).toBeGreaterThan(0);
    expect(scene.operations.some((operation) => operation.op === 'cudaGraphLaunch')).toBe(true);
    expect(scene.allocations.every((allocation) => allocation.bytes !== null)).toBe(true);
  });
});

describe('runtime/index.d.ts', () => {
  const declarations = readFileSync(path.join(repository, 'runtime', 'index.d.ts'), 'utf8');
  const declared = [...declarations.matchAll(/^export declare function (\w+)/gm)].map((match) => match[1] ?? '');

  it('declares every function that is understood, and no other', () => {
    expect([...declared].sort()).toEqual([...new Set(typescriptRuntimeModel.rows.map((row) => row.name))].sort());
  });

  it('names only constants that are known', () => {
    const constants = [...declarations.matchAll(/^export declare const (\w+)/gm)].map((match) => match[1] ?? '');
    const streams = ['cudaStreamLegacy', 'cudaStreamPerThread'];
    const known = Object.keys(typescriptRuntimeModel.constants ?? {});
    expect(constants.filter((name) => !streams.includes(name) && !known.includes(name))).toEqual([]);
  });

  it('says what every function does', () => {
    const plain = [
      'cudaStreamCreateWithFlags',
      'cudaEventCreate',
      'cudaEventDestroy',
      'cudaMemcpyAsync',
      'cudaMemsetAsync',
    ];
    const documented = [...declarations.matchAll(/\*\/\nexport declare function (\w+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(declared.filter((name) => !documented.includes(name) && !plain.includes(name))).toEqual([]);
  });
});
