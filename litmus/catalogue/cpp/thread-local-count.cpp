// A thread_local counter that each thread adds to a total at its end. With -D RELAXED_TOTAL the total is read before the
// thread has ended.
#include <atomic>
#include <cassert>
#include <thread>

static thread_local int mine;
static std::atomic<int> total;

static void work() {
  mine++;
  mine++;
  total.fetch_add(mine, std::memory_order_relaxed);
}

int main() {
  std::thread other(work);
  work();
#ifdef RELAXED_TOTAL
  assert(total.load() == 4);
#endif
  other.join();
  assert(total.load() == 4);
}
