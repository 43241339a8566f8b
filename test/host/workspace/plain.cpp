// Nothing of ours is in here.
#include <vector>

int sum(const std::vector<int> &numbers) {
  int total = 0;
  for (int number : numbers) total += number;
  return total;
}
