// Dekker's lock for two threads, by loads and stores alone. A thread that finds both flags up lowers its own unless it
// has the turn. With -D FENCES it has full fences; without, both threads may enter.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

static std::atomic<int> up[2], turn;
static int visits;

static void visitor(int me) {
  int other = 1 - me;
  up[me].store(1, relaxed);
  fence();
  while (up[other].load(relaxed)) {
    if (turn.load(relaxed) == me) continue;
    up[me].store(0, relaxed);
    while (turn.load(relaxed) != me) {
    }
    up[me].store(1, relaxed);
    fence();
  }
  fence();
  visits++;
  fence();
  turn.store(other, relaxed);
  up[me].store(0, relaxed);
}

int main() {
  std::thread a(visitor, 0), b(visitor, 1);
  a.join();
  b.join();
  assert(visits == 2);
}
