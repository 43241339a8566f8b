import { describe, expect, it } from 'vitest';
import { splitItems } from '../../../src/syntax/cuda/split-items.ts';

/** The items with what is between a function's braces left out. */
const items = (text: string): string[] =>
  splitItems(text).map(({ start, end, open, close, missing }) =>
    (open < 0 ? text.slice(start, end) : `${text.slice(start, open + 1)}…${text.slice(close, end)}`)
      .replace(/\s+/g, ' ')
      .concat(missing > 0 ? ` (${missing} open)` : ''),
  );

describe('top-level items', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['int a; float b = 3;', ['int a;', 'float b = 3;']],
    ['void f() { g(); } int x;', ['void f() {…}', 'int x;']],
    ['namespace n { namespace m { void f() { } } int y; } int z;', ['void f() {…}', 'int y;', 'int z;']],
    ['extern "C" { void f() { } } extern "C" void g() { }', ['void f() {…}', 'extern "C" void g() {…}']],
    ['using namespace std; void f() { }', ['using namespace std;', 'void f() {…}']],
    ['struct S { int a; void f() { } }; int x;', ['struct S { int a; void f() { } };', 'int x;']],
    ['struct S f() { return {}; } int x;', ['struct S f() {…}', 'int x;']],
    ['struct S f() const { } int x;', ['struct S f() const {…}', 'int x;']],
    ['struct __align__(16) S { int a; }; int x;', ['struct __align__(16) S { int a; };', 'int x;']],
    ['typedef struct { int a; } S; int x;', ['typedef struct { int a; } S;', 'int x;']],
    ['enum class E { a, b }; int x;', ['enum class E { a, b };', 'int x;']],
    [
      'template <class T, class U = V<int>> void f(T t) { } int x;',
      ['template <class T, class U = V<int>> void f(T t) {…}', 'int x;'],
    ],
    ['int a[] = {1, {2}, 3}; int x;', ['int a[] = {1, {2}, 3};', 'int x;']],
    ['auto l = [](int i) { return i; }; int x;', ['auto l = [](int i) { return i; };', 'int x;']],
    [
      'C::C(int a) : a_{a}, b_(std::max(a, 2)) { f(); } int x;',
      ['C::C(int a) : a_{a}, b_(std::max(a, 2)) {…}', 'int x;'],
    ],
    [
      'C &C::operator=(const C &o) { } bool operator()(int a) { } int x;',
      ['C &C::operator=(const C &o) {…}', 'bool operator()(int a) {…}', 'int x;'],
    ],
    [
      'void f(std::function<void()> g = [] { h(); }) { } int x;',
      ['void f(std::function<void()> g = [] { h(); }) {…}', 'int x;'],
    ],
    ['int f(A a = {}, bool b = false) { g(); } int x;', ['int f(A a = {}, bool b = false) {…}', 'int x;']],
    ['void f() try { } catch (...) { } int x;', ['void f() try { } catch (...) { }', 'int x;']],
    ['TEST_CASE("a { b", "[c]") { f(); } int x;', ['TEST_CASE("a { b", "[c]") {…}', 'int x;']],
    ['TEST(Suite, Name, { f(); }) int x;', ['TEST(Suite, Name, {…})', 'int x;']],
    ['TEST(Suite, Name, { f(); }); int x;', ['TEST(Suite, Name, {…})', 'int x;']],
    ['std::vector<int> v(3, {1}); int x;', ['std::vector<int> v(3, {1});', 'int x;']],
    ['void f() { g(\'}\'); h("}"); /* } */ i(R"x(})x"); // }\n } int x;', ['void f() {…}', 'int x;']],
    ["int n = 1'000'000; void f() { }", ["int n = 1'000'000;", 'void f() {…}']],
    ['} int x; } void f() { }', ['int x;', 'void f() {…}']],
    ['void f() { if (x) { g();', ['void f() {… (2 open)']],
  ])('%s', (text, expected) => {
    expect(items(text)).toEqual(expected);
  });

  it('begins anew at the margin when a brace is missing', () => {
    const text = 'void f() {\n  if (x) {\n  g();\n}\n\nvoid g(int a) {\n  h();\n}\n';
    expect(items(text)).toEqual(['void f() {… (1 open)', 'void g(int a) {…}']);
  });
});
