/** Bundles the suite that runs inside the extension host: once for Node, once for the web worker. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { root, work } from './places.mjs';

const entry = (name) => path.join(root, 'test', 'host', 'suite', name);
const common = {
  bundle: true,
  format: 'cjs',
  sourcemap: 'inline',
  logLevel: 'warning',
  target: 'es2022',
  absWorkingDir: root,
};

/** Paths of the bundles, without `.js`, as VS Code wants them. */
export async function bundleSuite() {
  const node = path.join(work, 'suite', 'node');
  const web = path.join(work, 'suite', 'web');
  await build({
    ...common,
    entryPoints: [entry('run-node.ts')],
    outfile: `${node}.js`,
    platform: 'node',
    external: ['vscode', 'mocha'],
  });
  await build({
    ...common,
    entryPoints: [entry('run-web.ts')],
    outfile: `${web}.js`,
    platform: 'browser',
    external: ['vscode'],
    define: { global: 'globalThis' },
    plugins: [mochaAsScript],
  });
  return { node, web };
}

/**
 * mocha's browser file is a script for a page, inside a package of modules: taken for a module it would replace our own
 * exports. Here it runs as the script it is, with a global object and nothing else around it.
 */
const mochaAsScript = {
  name: 'mocha-as-script',
  setup(builder) {
    builder.onResolve({ filter: /^mocha$/ }, () => ({
      path: path.join(root, 'node_modules', 'mocha', 'mocha.js'),
      namespace: 'script',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'script' }, async ({ path: file }) => ({
      contents: `(function (module, exports, define, require) {\n${await readFile(file, 'utf8')}\n}).call(globalThis);
export const mocha = globalThis.mocha;`,
      loader: 'js',
    }));
  },
};
