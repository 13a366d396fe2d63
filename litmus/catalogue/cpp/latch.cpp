// std::latch: two threads wait for each other before they read what the other wrote. With -D EARLY one of them reads
// before it waits.
#include <cassert>
#include <latch>
#include <thread>

static int left, right;

int main() {
  std::latch both(2);
  std::jthread other([&] {
    left = 1;
    both.arrive_and_wait();
    assert(right == 1);
  });
  right = 1;
#ifdef EARLY
  assert(left == 1);
#endif
  both.arrive_and_wait();
  assert(left == 1);
}
