import { expect, test } from 'vitest';
import { createCompilation } from '../../../src/server/includes.ts';
import { createRecentAnswers } from '../../../src/server/recent-answers.ts';

test('an answer is kept for a short while, or until something has changed', () => {
  let time = 0;
  let asked = 0;
  const recent = createRecentAnswers(() => time);
  const ask = (): string | undefined => recent.of('how often', () => `${++asked}`);
  expect([ask(), ask()]).toEqual(['1', '1']);
  time = 1_001;
  expect([ask(), ask()]).toEqual(['2', '2']);
  recent.forget();
  expect(ask()).toBe('3');
});

test('that there is no answer is one', () => {
  let asked = 0;
  const recent = createRecentAnswers(() => 0);
  for (let round = 0; round < 3; round++)
    recent.of('nothing', () => {
      asked++;
      return undefined;
    });
  expect(asked).toBe(1);
});

test('an include is looked for once, and its text is what the editor holds now', () => {
  const texts = new Map([['file:///p/include/a.h', 'int a;']]);
  let looks = 0;
  const recent = createRecentAnswers(() => 0);
  const { readInclude } = createCompilation(
    (uri) => {
      looks++;
      return texts.get(uri);
    },
    undefined,
    recent,
  );
  const text = (): string | undefined => readInclude('a.h', 'file:///p/src/b.cu')?.text;
  expect(text()).toBe('int a;');
  looks = 0;
  texts.set('file:///p/include/a.h', 'int b;');
  expect(text()).toBe('int b;');
  expect(looks).toBe(1);
  texts.set('file:///p/src/a.h', 'int nearer;');
  recent.forget();
  expect(text()).toBe('int nearer;');
});

test.each([
  ['beside the file', 'a#b.h', 'file:///p/src/a%23b.h'],
  ['by a name with a percent sign', '100%?.h', 'file:///p/src/100%25%3F.h'],
  ['in a folder above', 'c.h', 'file:///p/include%23/c.h'],
])('an include is found %s where names have signs that mean something in a URI', (_, name, uri) => {
  const database = JSON.stringify([{ directory: '/p', file: 'src/b.cu', command: 'nvcc -Iinclude# src/b.cu' }]);
  const texts = new Map([
    [uri, 'int a;'],
    ['file:///p/compile_commands.json', database],
  ]);
  const { readInclude } = createCompilation((each) => texts.get(each));
  expect(readInclude(name, 'file:///p/src/b.cu')?.file).toBe(uri);
});
