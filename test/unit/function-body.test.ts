import { expect, test } from 'vitest';
import { FunctionBody } from '../../src/program/function-body.ts';

/** Counts how often the statements were walked for calls. */
function countingBody() {
  let asked = 0;
  const body = new FunctionBody(
    () => [],
    () => new Set(),
  );
  const ask = (each: FunctionBody): number => {
    each.calls(() => {
      asked++;
      return [];
    });
    return asked;
  };
  return { body, ask };
}

const same = <T>(statements: T): T => statements;

test('calls are listed once for a body that is only shifted', () => {
  const { body, ask } = countingBody();
  expect(ask(body)).toBe(1);
  expect(ask(body.map(same, null))).toBe(1);
});

test('calls of a body that was spaced otherwise are listed once, however often it moves on', () => {
  const { body, ask } = countingBody();
  ask(body);
  expect(ask(body.map(same, 'f( );'))).toBe(2);
  expect(ask(body.map(same, 'f( );'))).toBe(2);
  expect(ask(body.map(same, 'f( );').map(same, null))).toBe(2);
});

test('calls are listed again when the spacing changes', () => {
  const { body, ask } = countingBody();
  ask(body.map(same, 'f( );'));
  expect(ask(body.map(same, 'f(  );'))).toBe(2);
});

test('it is the same body wherever it stands and however it is spaced', () => {
  const { body } = countingBody();
  expect(body.map(same, 'f( );').identity).toBe(body.identity);
});
