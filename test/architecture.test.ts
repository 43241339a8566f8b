/**
 * The borders of `src`, as a table that is executed: which folder may import which, who may touch the editor, the DOM, Node
 * and the layout engine, and the few ratchets (casts, length) that only ever go down.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './support/engine.ts';
import { withoutCommentsAndStrings } from './support/source-code.ts';

const everythingBelowPipeline = [
  'base',
  'program',
  'trace',
  'models',
  'syntax',
  'interpret',
  'execution',
  'order',
  'memory',
  'driver',
  'simulation',
  'checks',
  'scene',
  'what-if',
];

/** Folder (or file at the top): what it may import, `*` standing for packages only. */
const borders: Readonly<Record<string, readonly string[]>> = {
  base: [],
  program: ['base'],
  trace: ['base'],
  models: ['base'],
  syntax: ['base', 'program'],
  interpret: ['base', 'program', 'models', 'trace'],
  execution: ['base', 'trace'],
  order: ['base', 'trace', 'execution'],
  memory: ['base', 'trace', 'execution', 'order'],
  driver: ['base', 'trace'],
  simulation: ['base', 'trace', 'execution', 'driver'],
  checks: ['base', 'trace', 'execution', 'order', 'memory', 'driver', 'simulation'],
  scene: ['base', 'program', 'trace', 'execution', 'order', 'memory', 'driver', 'simulation', 'checks'],
  replay: ['base', 'program', 'models', 'trace', 'interpret', 'execution', 'driver', 'simulation'],
  'what-if': ['base', 'trace', 'execution', 'checks', 'scene'],
  judge: everythingBelowPipeline,
  'pipeline.ts': [...everythingBelowPipeline, 'replay', 'judge', 'verify-fixes.ts'],
  'verify-fixes.ts': [...everythingBelowPipeline, 'pipeline.ts'],
  relevance: ['base', 'pipeline.ts', 'models/user-models.ts'],
  server: ['base', 'checks', 'scene', 'pipeline.ts', 'relevance', 'models/user-models.ts'],
  cli: ['base', 'checks', 'scene', 'driver', 'pipeline.ts', 'relevance', 'models/user-models.ts'],
  extension: ['base', 'scene'],
  view: ['base', 'scene'],
};

/** Pairs that import each other on purpose; a fix is verified by running the whole pipeline again. */
const allowedCycles = new Set(['pipeline.ts verify-fixes.ts']);

/** Folders whose code is pure: no clock, no files, no process, so that it runs in a worker, a server or a browser alike. */
const pure = [...everythingBelowPipeline, 'replay', 'judge', 'pipeline.ts', 'verify-fixes.ts', 'relevance'];

/** Type casts (`x as T`) a folder may have at most. Lower a number when you remove one; never raise it. */
const mostCasts: Readonly<Record<string, number>> = {
  base: 0,
  checks: 0,
  cli: 2,
  driver: 20,
  execution: 0,
  extension: 2,
  interpret: 6,
  judge: 0,
  memory: 0,
  models: 5,
  order: 0,
  scene: 1,
  server: 8,
  syntax: 4,
  trace: 0,
  view: 3,
};

interface SourceFile {
  /** Relative to `src`, with `/`. */
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  readonly code: string;
  readonly imports: readonly string[];
}

const root = path.join(repository, 'src');

const files: readonly SourceFile[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((found) => {
    const name = found.split(path.sep).join('/');
    const text = readFileSync(path.join(root, name), 'utf8');
    return { name, unit: unitOf(name), text, code: withoutCommentsAndStrings(text), imports: importsOf(text) };
  })
  .sort((first, second) => (first.name < second.name ? -1 : 1));

function unitOf(name: string): string {
  return name.split('/')[0] ?? name;
}

function importsOf(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import\s*|(?:import|export)\b[^;'"=(]*?\bfrom\s*)['"]([^'"\n]+)['"]/gm);
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g);
  return [...statements, ...dynamic].map((match) => match[1] ?? '');
}

/** The file that a relative import names, relative to `src`; null for packages. */
function targetOf(file: SourceFile, specifier: string): string | null {
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file.name), specifier) : null;
}

function allows(unit: string, target: string): boolean {
  return (borders[unit] ?? []).some((allowed) => allowed === target || allowed === unitOf(target));
}

const targets = files.flatMap((file) =>
  file.imports.flatMap((specifier) => {
    const target = targetOf(file, specifier);
    return target === null ? [] : [{ file, target }];
  }),
);

const packages = files.flatMap((file) =>
  file.imports.flatMap((specifier) => (specifier.startsWith('.') ? [] : [{ file, specifier }])),
);

describe('borders', () => {
  it('give every folder a row', () => {
    expect([...new Set(files.map((file) => file.unit))].filter((unit) => borders[unit] === undefined)).toEqual([]);
  });

  it('are crossed only where the table says so', () => {
    const crossings = targets.filter(({ file, target }) => unitOf(target) !== file.unit && !allows(file.unit, target));
    expect(crossings.map(({ file, target }) => `${file.name} imports ${target}`)).toEqual([]);
  });

  it('are not crossed in circles', () => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target } of targets) {
      const to = unitOf(target);
      if (to !== file.unit) edges.set(file.unit, (edges.get(file.unit) ?? new Set()).add(to));
    }
    const circles = [...edges].flatMap(([from, targets]) =>
      [...targets].filter((to) => from < to && reaches(edges, to, from)).map((to) => `${from} ${to}`),
    );
    expect(circles.filter((circle) => !allowedCycles.has(circle))).toEqual([]);
  });

  it('have no circles between the files of a folder', () => {
    const edges = new Map<string, Set<string>>();
    for (const { file, target } of runtimeTargets()) edges.set(file, (edges.get(file) ?? new Set()).add(target));
    const inCircles = [...edges.keys()].filter((file) => reaches(edges, file, file));
    expect(inCircles.filter((file) => !recursive.has(unitOf(file)))).toEqual([]);
  });
});

/** The rooms of `interpret`: what each may use beside what lies in the folder itself. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  choices: ['calls', 'cuda', 'expressions', 'script', 'types'],
  statements: ['calls', 'choices', 'cuda', 'expressions', 'library', 'objects', 'script', 'types'],
  expressions: ['calls', 'choices', 'cuda', 'library', 'objects', 'script', 'statements', 'types'],
  calls: ['choices', 'cuda', 'expressions', 'library', 'objects', 'script', 'statements', 'types'],
  types: ['calls', 'expressions', 'library', 'objects', 'script'],
  objects: ['calls', 'choices', 'expressions', 'library', 'script', 'statements', 'types'],
  library: ['calls', 'cuda', 'expressions', 'objects', 'script', 'types'],
  script: ['calls', 'choices', 'expressions', 'library', 'objects', 'types'],
  cuda: ['calls', 'choices', 'expressions', 'statements', 'types'],
};

describe('rooms of the interpreter', () => {
  const roomOf = (name: string): string => (name.split('/').length > 2 ? (name.split('/')[1] ?? '') : '');
  const inside = targets.flatMap(({ file, target }) =>
    file.unit === 'interpret' && unitOf(target) === 'interpret' ? [{ name: file.name, target }] : [],
  );

  it('have a row each', () => {
    const found = new Set(inside.map(({ name }) => roomOf(name)));
    expect([...found].filter((room) => room !== '' && rooms[room] === undefined)).toEqual([]);
  });

  it('use one another only where the table says so', () => {
    const crossings = inside.filter(({ name, target }) => {
      const [from, to] = [roomOf(name), roomOf(target)];
      return from !== '' && to !== '' && from !== to && rooms[from]?.includes(to) !== true;
    });
    expect(crossings.map(({ name, target }) => `${name} imports ${target}`)).toEqual([]);
  });
});

/** Recursive descent with one construct a file needs calls in a circle. */
const recursive = new Set(['interpret', 'syntax']);

/** Imports that exist when the code runs: `import type` is gone by then. */
function runtimeTargets(): readonly { readonly file: string; readonly target: string }[] {
  return files.flatMap((file) => {
    const values = importsOf(file.text.replace(/^(?:import|export) (?:type\b|\{(?:\s*type \w+,?)+\s*\})[^;]*;/gm, ''));
    return values.flatMap((specifier) => {
      const target = targetOf(file, specifier);
      return target === null ? [] : [{ file: file.name, target }];
    });
  });
}

function reaches(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string, wanted: string): boolean {
  const seen = new Set<string>();
  const waiting = [...(edges.get(from) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === wanted) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(edges.get(next) ?? []));
  }
  return false;
}

describe('packages', () => {
  const users = (belongs: (specifier: string) => boolean): readonly string[] =>
    packages.filter(({ specifier }) => belongs(specifier)).map(({ file }) => file.name);

  it('vscode is for the extension', () => {
    expect(users((name) => name === 'vscode').filter((name) => !name.startsWith('extension/'))).toEqual([]);
    expect(
      users((name) => name.startsWith('vscode-languageclient')).filter((name) => !name.startsWith('extension/')),
    ).toEqual([]);
    expect(
      users((name) => name.startsWith('vscode-languageserver')).filter((name) => !name.startsWith('server/')),
    ).toEqual([]);
  });

  it('the layout engine is for the layout worker', () => {
    const allowed = ['view/layout-elk.ts', 'view/layout-worker.ts'];
    expect(users((name) => name.startsWith('elkjs')).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('the parser is for the front ends and whoever loads them', () => {
    const allowed = (name: string): boolean => name.startsWith('syntax/') || name === 'pipeline.ts';
    expect(users((name) => name === 'web-tree-sitter').filter((name) => !allowed(name))).toEqual([]);
  });

  it('Node is for the command and for entry files', () => {
    const allowed = (name: string): boolean =>
      name.startsWith('cli/') || name.endsWith('/node.ts') || name === 'server/carrier.ts';
    expect(users((name) => name.startsWith('node:')).filter((name) => !allowed(name))).toEqual([]);
  });

  it('nothing else is used', () => {
    const known = /^(?:node:|vscode$|vscode-language|elkjs|web-tree-sitter$)/;
    expect(packages.filter(({ specifier }) => !known.test(specifier)).map(({ specifier }) => specifier)).toEqual([]);
  });
});

describe('globals', () => {
  const dom =
    /\b(?:HTML\w*Element|SVG\w*Element|localStorage|requestAnimationFrame|customElements)\b|\b(?:window|document)\.(?:createElement\w*|querySelector\w*|getElementById|body|head|documentElement|addEventListener|location)\b/;

  it('the DOM is for the view', () => {
    expect(files.filter((file) => file.unit !== 'view' && dom.test(file.code)).map((file) => file.name)).toEqual([]);
  });

  it('what analyses is pure: no process, no clock, no chance, no console', () => {
    const impure =
      /\b(?:process\.|Buffer\.|Date\.now|new Date\b|performance\.now|Math\.random|console\.|setTimeout|fetch\()/;
    const found = files.filter((file) => pure.includes(file.unit) && impure.test(file.code));
    expect(found.map((file) => file.name)).toEqual([]);
  });
});

describe('ratchets', () => {
  it('no file has more than 400 lines', () => {
    expect(files.filter((file) => file.text.split('\n').length > 400).map((file) => file.name)).toEqual([]);
  });

  it('nothing is typed any', () => {
    const any = /(?::\s*any\b|\bas any\b|<any>|\bany\[\]|@ts-ignore|@ts-expect-error)/;
    const found = files.filter((file) => any.test(file.code) || /@ts-(?:ignore|expect-error)/.test(file.text));
    expect(found.map((file) => file.name)).toEqual([]);
  });

  it('casts do not become more', () => {
    const counts = new Map<string, number>();
    for (const file of files) {
      const found = [...withoutImports(file.code).matchAll(/\bas (?!const\b)/g)].length;
      counts.set(file.unit, (counts.get(file.unit) ?? 0) + found);
    }
    const over = [...counts].filter(([unit, count]) => count > (mostCasts[unit] ?? 0));
    expect(Object.fromEntries(over)).toEqual({});
  });

  it('there are no default exports', () => {
    expect(files.filter((file) => /\bexport default\b/.test(file.code)).map((file) => file.name)).toEqual([]);
  });

  it('every file says in its first lines what it is', () => {
    expect(files.filter((file) => !/^(?:#!.*\n)?\s*(?:\/\*\*|\/\/)/.test(file.text)).map((file) => file.name)).toEqual(
      [],
    );
  });
});

function withoutImports(code: string): string {
  return code.replace(/^\s*(?:import|export)\b[^;]*?\bfrom\b[^;]*;/gm, '');
}

describe('what is committed', () => {
  /** Written so that this file does not find itself. */
  const workplace = new RegExp(['/wo', 'rk/(?:main|shared)\\b', '|', '\\.\\./sha', 'red/'].join(''));
  const places = ['src', 'test', 'docs', 'scripts', 'examples', 'runtime', 'schema', 'recorder', 'media'];
  const skipped = /(?:^|\/)(?:node_modules|\.work|vscode-host)\/|\.(?:png|gz|wasm|ico|vsix)$/;

  it('names no folder of the workplace it was written in', () => {
    const top = readdirSync(repository).filter((name) => /\.(?:md|json|mts|ts)$/.test(name));
    const below = places.flatMap((place) => listed(place));
    const mentions = [...top, ...below].filter((name) =>
      workplace.test(readFileSync(path.join(repository, name), 'utf8')),
    );
    expect(mentions).toEqual([]);
  });

  function listed(place: string): readonly string[] {
    try {
      return readdirSync(path.join(repository, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(repository, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
        .filter((name) => !skipped.test(name));
    } catch {
      return [];
    }
  }
});
