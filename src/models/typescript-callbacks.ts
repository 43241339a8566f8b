/** Functions of TypeScript's world that call what they are given: now, around each test, or later. */

import type { CallbackUse, ModelFile } from './model.ts';

const named = (use: CallbackUse, names: string): [string, CallbackUse][] =>
  names.split(' ').map((name) => [name, use] as const);

export const typescriptCallbacksModel: ModelFile = {
  name: 'typescript-callbacks',
  rows: [],
  callbacks: Object.fromEntries([
    ...named('now', 'expect assert assert.ok assert.equal assert.strictEqual assert.notStrictEqual assert.deepEqual'),
    ...named('now', 'assert.deepStrictEqual assert.throws assert.doesNotThrow assert.rejects'),
    ...named('now', 'toBe toEqual toStrictEqual toBeDefined toBeUndefined toBeNull toBeTruthy toBeFalsy toContain'),
    ...named('now', 'toHaveLength toHaveProperty toMatchObject toBeInstanceOf toThrow toThrowError'),
    ...named('group', 'describe suite context describe.only describe.skip describe.concurrent test.describe'),
    ...named('test', 'it test specify it.only it.skip it.concurrent test.only test.skip test.concurrent'),
    ...named('before each', 'beforeEach test.beforeEach setup'),
    ...named('after each', 'afterEach test.afterEach teardown'),
    ...named('at end', 'after afterAll test.afterAll suiteTeardown onTestFinished t.after context.after'),
    ...named('later', 'setTimeout setInterval setImmediate queueMicrotask process.nextTick'),
    ...named('apart', 'process.on process.once process.addListener addEventListener'),
  ]),
};
