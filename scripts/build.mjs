/**
 * Builds everything that ships into `dist/`:
 *
 *     src/extension  ->  extension.js   extension-web.js     (the extension host: Node, web worker)
 *     src/server     ->  server.js      server-web.js        (the language server: own process, own worker)
 *     src/cli        ->  cli.js                              (the command `graphmem`)
 *     src/view       ->  view.js        layout-worker.js     (the panel's webview)
 *     grammars       ->  *.wasm
 *
 * Options: `--sizes` prints what is in each bundle, `--no-minify` keeps names, `--allow-missing` lets entries be absent
 * (each is named); without it a missing entry is an error.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Web extensions and Node extensions alike are CommonJS modules that find the API under the name `vscode`. */
const extension = { format: 'cjs', external: ['vscode'] };

const node = { platform: 'node', target: 'node20', format: 'cjs', conditions: ['node'] };
const browser = {
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  conditions: ['browser'],
  mainFields: ['browser', 'module', 'main'],
};

/** Entry, bundle, options. The order is the order of the report. */
const bundles = [
  { entry: 'src/extension/node.ts', out: 'extension.js', options: { ...node, ...extension } },
  { entry: 'src/extension/browser.ts', out: 'extension-web.js', options: { ...browser, ...extension } },
  { entry: 'src/server/node.ts', out: 'server.js', options: node },
  { entry: 'src/server/browser.ts', out: 'server-web.js', options: browser },
  {
    entry: 'src/cli/main.ts',
    out: 'cli.js',
    options: { ...node, banner: { js: '#!/usr/bin/env node' } },
    executable: true,
  },
  { entry: 'src/view/main.ts', out: 'view.js', options: browser },
  { entry: 'src/view/layout-worker.ts', out: 'layout-worker.js', options: browser },
];

const wasmFiles = [
  { name: 'web-tree-sitter.wasm', from: 'web-tree-sitter/web-tree-sitter.wasm' },
  { name: 'tree-sitter-cuda.wasm', from: 'tree-sitter-cuda/tree-sitter-cuda.wasm' },
  { name: 'tree-sitter-typescript.wasm', from: 'tree-sitter-typescript/tree-sitter-typescript.wasm' },
];

/**
 * `import.meta.url` has no meaning in a CommonJS or classic script; the tree-sitter runtime only asks for it to find its
 * wasm file, which we always hand over as bytes. In Node bundles it becomes the bundle's own address.
 */
function importMeta(options) {
  if (options.platform === 'node') {
    return {
      define: { 'import.meta.url': '__graphmemUrl' },
      js: "const __graphmemUrl=require('node:url').pathToFileURL(__filename).href;",
    };
  }
  return { define: { 'import.meta.url': '"https://graphmem.invalid/"' }, js: '' };
}

/** Builds one bundle; returns its line of the report. */
async function bundle({ entry, out, options, executable }, { minify }) {
  const meta = importMeta(options);
  const shebang = options.banner?.js ?? '';
  const banner = [shebang, meta.js ?? ''].filter((line) => line !== '').join('\n');
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: path.join('dist', out),
    bundle: true,
    minify,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    sourcemap: false,
    loader: { '.md': 'text', '.css': 'text' },
    ...options,
    ...(meta.define ? { define: meta.define } : {}),
    banner: { js: banner },
  });
  if (executable) await chmod(path.join(root, 'dist', out), 0o755);
  return { out, inputs: Object.values(result.metafile.outputs)[0]?.inputs ?? {} };
}

/** Copies through a temporary name, so that a running server never reads half a file. */
async function copyWasm({ name, from }) {
  const source = path.join(root, 'node_modules', from);
  if (!existsSync(source)) throw new Error(`${from} is not installed: run "npm ci"`);
  const target = path.join(root, 'dist', name);
  await copyFile(source, `${target}.new`);
  await rename(`${target}.new`, target);
}

async function sizeLine(out) {
  const file = path.join(root, 'dist', out);
  const { size } = await stat(file);
  const packed = gzipSync(await readFile(file)).length;
  return `  ${out.padEnd(28)} ${kilobytes(size)}   gzip ${kilobytes(packed)}`;
}

/** The eight packages or folders that weigh most in a bundle. */
function heaviest(inputs) {
  const weights = new Map();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? file.split('/').slice(0, 2).join('/');
    weights.set(name, (weights.get(name) ?? 0) + bytesInOutput);
  }
  return [...weights].sort((a, b) => b[1] - a[1]).slice(0, 8);
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1).padStart(8)} KiB`;
}

/** Builds; throws with every missing entry named. Also called by the test harness. */
export async function buildAll({ sizes = false, minify = true, allowMissing = false } = {}) {
  const started = Date.now();
  await mkdir(path.join(root, 'dist'), { recursive: true });
  const missing = bundles.filter(({ entry }) => !existsSync(path.join(root, entry)));
  if (missing.length > 0 && !allowMissing) {
    throw new Error(`missing entries: ${missing.map(({ entry }) => entry).join(', ')}`);
  }
  for (const { entry } of missing) console.warn(`build: ${entry} is missing, its bundle is not built`);
  const present = bundles.filter(({ entry }) => existsSync(path.join(root, entry)));
  const built = await Promise.all(present.map((each) => bundle(each, { minify })));
  await Promise.all(wasmFiles.map(copyWasm));
  await writeFile(path.join(root, 'dist', 'package.json'), '{ "type": "commonjs" }\n');
  console.log(`build: ${built.length} bundles, ${wasmFiles.length} wasm files in ${Date.now() - started} ms`);
  if (sizes) await report(built);
}

async function report(built) {
  for (const { out, inputs } of built) {
    console.log(await sizeLine(out));
    for (const [name, bytes] of heaviest(inputs)) console.log(`      ${kilobytes(bytes)} ${name}`);
  }
  for (const { name } of wasmFiles) console.log(await sizeLine(name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const flags = new Set(process.argv.slice(2));
  const known = ['--sizes', '--no-minify', '--allow-missing'];
  const unknown = [...flags].filter((flag) => !known.includes(flag));
  try {
    if (unknown.length > 0) throw new Error(`unknown option ${unknown.join(' ')}; known: ${known.join(' ')}`);
    await buildAll({
      sizes: flags.has('--sizes'),
      minify: !flags.has('--no-minify'),
      allowMissing: flags.has('--allow-missing'),
    });
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
