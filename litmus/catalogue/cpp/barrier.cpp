// std::barrier: each phase begins when both threads have ended the phase before it, after a function has run. With -D DROP
// one thread leaves the barrier instead of waiting, and reads too early.
#include <barrier>
#include <cassert>
#include <thread>

static int left, right, phases;

int main() {
  std::barrier sync(2, []() noexcept { phases++; });
  std::thread other([&] {
    left = 1;
    sync.arrive_and_wait();
    assert(right == 1 && phases == 1);
  });
  right = 1;
#ifdef DROP
  sync.arrive_and_drop();
#else
  sync.arrive_and_wait();
#endif
  assert(left == 1 && phases == 1);
  other.join();
}
