/** Entry of the suite in a Node extension host: VS Code calls `run`, which must reject when a test fails. */

import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { measures } from './measures.ts';
import { collect, type SuiteResult, silent } from './result.ts';

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'tdd', timeout: 30_000, reporter: silent });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await import('./all.ts');
  const counted = await collect((done) => mocha.run(done));
  const result: SuiteResult = { host: `node ${process.version}`, ...counted, measures };
  const file = process.env['GRAPHMEM_TEST_RESULT'];
  if (file) writeFileSync(file, JSON.stringify(result));
  if (result.failures.length > 0) throw new Error(`${result.failures.length} failed`);
}
