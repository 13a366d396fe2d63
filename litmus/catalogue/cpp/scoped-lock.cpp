// std::scoped_lock takes two mutexes without a deadlock in any order. With -D ONE_BY_ONE two threads take them in opposite
// orders, and each waits for the other.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex first, second;
static int moved;

static void move(std::mutex &from, std::mutex &to) {
#ifdef ONE_BY_ONE
  std::lock_guard a(from), b(to);
#else
  std::scoped_lock both(from, to);
#endif
  moved++;
}

int main() {
  std::thread other([] { move(first, second); });
  move(second, first);
  other.join();
  assert(moved == 2);
}
