/** Views of the C++ library that show a range in parts. */

import { describeRows } from '../support/right-and-wrong.ts';

const head = `#include <cuda_runtime.h>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>
`;

/** What must hold, and what must not. */
function row(what: string, made: string, value: string, is: number): readonly [string, string, string, string, string] {
  const body = (other: number): string =>
    `int *d; cudaMalloc(&d, 4); cudaFree(d); int count = 0, sum = 0; ${made} if (${value} != ${other}) cudaFree(d);`;
  return [what, 'malloc-double-free', '', body(is + 1), body(is)];
}

const list = 'std::vector<int> list{1, 2, 0, 3, 0, 4, 5};';
const numbers = 'sum += std::stoi(std::string(part.begin(), part.end()));';

describeRows('parts', head, [
  row('of a text', 'for (auto part : std::views::split(std::string_view("a,b,c"), \',\')) count++;', 'count', 3),
  row(
    'of a text with numbers',
    `std::string text = "10;20;30"; for (auto part : text | std::views::split(';')) ${numbers}`,
    'sum',
    60,
  ),
  row(
    'of a text that ends in what separates',
    'for (auto part : std::views::split(std::string_view("a,b,"), \',\')) count++;',
    'count',
    3,
  ),
  row(
    'between texts',
    'for (auto part : std::views::split(std::string_view("a, b, c"), std::string_view(", "))) count++;',
    'count',
    3,
  ),
  row('of an empty text', 'for (auto part : std::views::split(std::string_view(""), \',\')) count++;', 'count', 0),
  row(
    'of a vector',
    `${list} for (auto part : list | std::views::split(0)) { count++; for (int x : part) sum += x; }`,
    'count * 100 + sum',
    315,
  ),
  row(
    'of so many elements',
    `${list} for (auto part : list | std::views::chunk(3)) { count++; for (int x : part) sum += x * count; }`,
    'sum',
    32,
  ),
  row(
    'that overlap',
    `${list} for (auto part : list | std::views::slide(3)) { count++; for (int x : part) sum += x; }`,
    'count',
    5,
  ),
  row('of each second element', `${list} for (int x : list | std::views::stride(2)) sum += x;`, 'sum', 6),
]);
