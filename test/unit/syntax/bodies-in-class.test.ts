import { beforeAll, describe, expect, it } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { bodiesInClass, withoutBodies } from '../../../src/syntax/cuda/bodies-in-class.ts';
import { parseCuda } from '../../../src/syntax/cuda/parse.ts';
import { splitItems } from '../../../src/syntax/cuda/split-items.ts';
import { readGrammar, testEngine } from '../../support/engine.ts';

/** The text with the bodies left out; an ellipsis stands where there was something. */
const shortened = (text: string): string =>
  splitItems(text)
    .map((range) => {
      const whole = text.slice(range.start, range.end);
      return withoutBodies(whole, range.start, bodiesInClass(text, range)).replace(/;[ ]{20,}/g, '…');
    })
    .join(' ');

const body = '{ first(1); second(2); third(3); }';

describe('bodies of methods that are read later', () => {
  it.each<[string, string]>([
    [`struct S { void f() ${body} int a; };`, 'struct S { void f() {…} int a; };'],
    [
      `class S : public B<int> { public: S(int a) : a_(a), b_{a} ${body} };`,
      'class S : public B<int> { public: S(int a) : a_(a), b_{a} {…} };',
    ],
    [
      `template <class T> struct S { bool operator()(T t) const noexcept ${body} };`,
      'template <class T> struct S { bool operator()(T t) const noexcept {…} };',
    ],
    [
      `struct S { struct Part { ~Part() ${body} }; friend void f(S s) ${body} };`,
      'struct S { struct Part { ~Part() {…} }; friend void f(S s) {…} };',
    ],
    [`class S { private: class Part { int g() ${body} }; };`, 'class S { private: class Part { int g() {…} }; };'],
    [
      `struct alignas(16) S { template <class U> auto g(U u) -> int ${body}; };`,
      'struct alignas(16) S { template <class U> auto g(U u) -> int {…}; };',
    ],
    // No bodies of methods.
    [
      'struct S { int a[3] = { 1000000, 2000000, 3000000 }; };',
      'struct S { int a[3] = { 1000000, 2000000, 3000000 }; };',
    ],
    [`struct S { int n = [] ${body}(); };`, `struct S { int n = [] ${body}(); };`],
    [
      'struct S { std::function<void(int)> done{[](int n) { first(n); second(n); }}; int a; };',
      'struct S { std::function<void(int)> done{[](int n) { first(n); second(n); }}; int a; };',
    ],
    [`int f(struct S *s) ${body}`, `int f(struct S *s) ${body}`],
    [
      'enum class E { aaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb };',
      'enum class E { aaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbb };',
    ],
    ['struct S { int short_() { return 1; } };', 'struct S { int short_() { return 1; } };'],
    [`struct S { void f() ${body.slice(0, -1)}`, `struct S { void f() ${body.slice(0, -1)}`],
  ])('%s', (text, expected) => {
    expect(shortened(text)).toBe(expected);
  });

  describe('as they are read in the end', () => {
    let parser: Parser;
    const read = (text: string, isIncluded: boolean) => parseCuda(parser, 's.h', text, { isIncluded });
    beforeAll(async () => {
      await testEngine();
      parser = new Parser();
      parser.setLanguage(await Language.load(await readGrammar('tree-sitter-cuda.wasm')));
    });

    it.each([
      `struct S { void f() ${body} int a; S(int b) : a(b) ${body} struct Part { ~Part() ${body} }; };`,
      `struct S { void f() ${body}; void g() ${body}; };`,
      `#define HD __host__ __device__ inline\n#define CALL(x) second(x)\nstruct S { HD void f() { first(1); CALL(2); third(3); } HD int g() const ${body} };`,
      `#define FIELDS(T) T a; T b;\nstruct S { FIELDS(float) void f() ${body} };`,
      `template <class T> class S { public: template <class U> void f(U u) { if (u) first(u); else second(u); } };`,
    ])('%s', (text) => {
      const [at, later] = [false, true].map((isIncluded) => read(text, isIncluded));
      const methods = (module: typeof at) =>
        module!.classes.flatMap((each) =>
          each.methods.map(({ body: own, ...method }) => ({ ...method, statements: own?.statements })),
        );
      expect(methods(later).length).toBeGreaterThan(0);
      expect(methods(later)).toEqual(methods(at));
      expect(later!.unread).toEqual(at!.unread);
    });

    it('does not lose a class for what the parser does not know in one of its methods', () => {
      const text = `struct S { void broken() { int @@ x = = 3; ) first(1); } void whole() ${body} };`;
      const module = read(text, true);
      const whole = module.classes[0]?.methods.find(({ name }) => name === 'S::whole');
      expect(whole?.body?.statements).toHaveLength(3);
    });
  });
});
