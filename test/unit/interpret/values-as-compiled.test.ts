/** Small programs, and the values that g++ 12 gives to their `take`: statements and declarations as people write them. */

import { describe, expect, it } from 'vitest';
import { evaluateSize } from '../../../src/trace/size.ts';
import { analyseText } from '../../support/engine.ts';

/** What each `take` of the program is given; null where that is not known. */
async function taken(definitions: string, body: string): Promise<readonly (number | null)[]> {
  const { facts } = await analyseText(`#include <cuda_runtime.h>
static void take(long long bytes) { void *memory; cudaMallocAsync(&memory, (size_t)bytes, 0); }
${definitions}
int main() {
  ${body}
}
`);
  const trace = facts.get('main')?.trace;
  return (trace?.events ?? []).flatMap((event) => {
    if (event.verb !== 'memory.allocateAsync') return [];
    const bytes = trace?.allocations[event.allocation]?.bytes;
    return [bytes ? evaluateSize(bytes) : null];
  });
}

type Row = readonly [what: string, definitions: string, body: string, values: readonly (number | null)[]];

const isBuffer = `template <class T> struct is_buffer : std::false_type {};
template <> struct is_buffer<float *> : std::true_type {};
template <class T> struct is_input : is_buffer<T> {};
template <class T> struct width : std::integral_constant<int, sizeof(T) * 8> {};
template <bool B> struct Choice { static constexpr int bytes = B ? 64 : 128; };
int bytesOf(std::true_type) { return 16; }
int bytesOf(std::false_type) { return 32; }
template <class T> int bytesFor(T) { return bytesOf(is_buffer<T>{}); }`;

const rows: readonly Row[] = [
  [
    'objects of traits are what the traits say',
    isBuffer,
    `float *p = nullptr; take(bytesOf(is_buffer<int>())); take(bytesOf(is_buffer<float *>())); take(bytesFor(2)); take(bytesFor(p));
     take(Choice<is_buffer<int>{}>::bytes); take(is_input<long>{} ? 1 : 2); if (is_buffer<char>{}) take(3); else take(4); take(width<short>{} + 1);`,
    [32, 16, 32, 16, 128, 2, 4, 17],
  ],
  [
    'results and parameters of types that traits name are as narrow as those',
    `template <class T> struct Traits { typedef T type; };
template <> struct Traits<int> { typedef unsigned char type; };
template <class T> using type_of = typename Traits<T>::type;
template <class T> typename Traits<T>::type narrow(T v) { return v; }
template <class T> type_of<T> alias(T v) { return v; }
template <class T> int given(T, typename Traits<T>::type v) { return v; }
template <class T> std::conditional_t<sizeof(T) == 4, unsigned short, long> chosen(T v) { return v; }
std::make_unsigned_t<signed char> plain(int v) { return v; }`,
    'take(narrow(300)); take(narrow(300L)); take(alias(301)); take(given(1, 302)); take(chosen(65537)); take(chosen(65537L)); take(plain(-1));',
    [44, 300, 45, 46, 1, 65537, 255],
  ],
  [
    'defaults of template parameters that traits name',
    `struct Fast { static int bytes(int n) { return n * 2; } };
struct Safe { static int bytes(int n) { return n + 10; } };
template <class T> struct PolicyOf { using type = Fast; };
template <> struct PolicyOf<double> { using type = Safe; };
template <class T, class P = typename PolicyOf<T>::type> int room(T n) { return P::bytes((int)n); }
template <class T, class P = typename PolicyOf<T>::type> struct Engine { int room(T n) { return P::bytes((int)n); } };`,
    'take(room(3.5)); take(room(3)); take(room<double, Fast>(3.5)); take(Engine<double>().room(4)); take(Engine<int>().room(4));',
    [13, 6, 6, 14, 8],
  ],
  [
    'constants of the type of a variable',
    'struct Plain { static constexpr int size = 5; }; template <int N> struct Grid { static constexpr int size = N; };',
    'Plain plain; Grid<7> grid; auto copy = grid; take(decltype(plain)::size); take(decltype(grid)::size); take(decltype(copy)::size + 1);',
    [5, 7, 8],
  ],
  [
    'parts of texts compared',
    '',
    `std::string s = "--sizes=1"; take(s.compare(0, 8, "--sizes=") == 0 ? 1 : 2); take(s.compare(0, 8, "--names=") == 0 ? 1 : 2);
     take(s.compare(2, 3, "sizes", 3) + 1); take(s.compare(0, 3, "--a") > 0);`,
    [1, 2, 1, 1],
  ],
  [
    'template arguments that a base says',
    `template <class D> struct Stage { int run(int n) { return static_cast<D *>(this)->bytes(n); } };
struct Twice : Stage<Twice> { static constexpr int least = 4; int bytes(int n) { return n * 2; } };
struct More : Stage<More> { enum { least = 5 }; int bytes(int n) { return n + 1; } };
template <class D> int all(Stage<D> &stage) { return stage.run(9) + D::least; }
template <class T, int N> struct Row { T cells[N]; };
struct Own : Row<short, 6> {}; struct Further : Own {};
template <class T, int N> int room(const Row<T, N> &) { return N * 10 + (int)sizeof(T); }`,
    'Twice twice; More more; take(all(twice)); take(all(more)); Own own; Further further; take(room(own)); take(room(further));',
    [22, 15, 62, 62],
  ],
  [
    'places of one of several, and of several in a row',
    '',
    `std::vector<int> v{1, 2, 3, 3, 5, 2}; int some[] = {5, 3};
     take(std::find_first_of(v.begin(), v.end(), some, some + 2) - v.begin()); take(std::search_n(v.begin(), v.end(), 2, 3) - v.begin());
     take(std::search_n(v.begin(), v.end(), 3, 3) - v.begin()); take(v.size());`,
    [2, 2, 6, 6],
  ],
  [
    'bits that are turned, and bytes that are swapped',
    '',
    `unsigned x = 0x12345678; take(std::rotl(x, 3)); take(std::rotr(x, 4)); take(std::rotl((unsigned char)0x81, 1));
     take(__builtin_bswap32(x)); take(__builtin_bswap16(0x1234)); take(std::rotl(0x8000000000000001ull, 1));`,
    [2443359168, 2166572391, 3, 2018915346, 0x3412, 3],
  ],
];

describe('values are what they are when compiled', () => {
  it.each(rows)('%s', async (_, definitions, body, values) => {
    expect(await taken(definitions, body)).toEqual(values);
  });
});
