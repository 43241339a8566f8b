/** Entry of the suite in the web worker extension host. It has no files: the result is a line of the console. */

import * as script from 'mocha';
import { measures } from './measures.ts';
import { collect, type SuiteResult, silent } from './result.ts';

/** What the harness makes of mocha's browser file: its global object. */
const { mocha } = script as unknown as { readonly mocha: BrowserMocha };

interface BrowserMocha {
  setup(options: Mocha.MochaOptions): void;
  run(done: () => void): unknown;
}

export async function run(): Promise<void> {
  mocha.setup({ ui: 'tdd', timeout: 30_000, reporter: silent });
  await import('./all.ts');
  const counted = await collect((done) => mocha.run(done));
  const result: SuiteResult = { host: 'web worker', ...counted, measures };
  console.log(`GRAPHMEM_TEST_RESULT ${JSON.stringify(result)}`);
  if (result.failures.length > 0) throw new Error(`${result.failures.length} failed`);
}
