import { defineConfig } from 'vitest/config';

/** Unit tests, fixtures, laws and borders. What runs inside VS Code or a browser has runners of its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/vscode-host/**', 'test/.work/**'],
    // Tests share no state but the loaded grammars, which are worth sharing.
    pool: 'threads',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
