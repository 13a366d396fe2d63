// Lamport's fast lock: seven accesses if no other thread wants it. A thread that finds competition waits until the others
// have lowered their flags. Without -D FENCES both threads may enter.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

// Threads have the numbers 1 and 2, and 0 means nobody. These are not static: clang would make first a local variable of
// each thread, because only one function uses it and writes it before it reads it.
std::atomic<int> first, second, coming[3];
static int visits;

static void lock(int me) {
  for (;;) {
    coming[me].store(1, relaxed);
    fence();
    first.store(me, relaxed);
    fence();
    if (second.load(relaxed) != 0) {
      coming[me].store(0, relaxed);
      while (second.load(relaxed) != 0) {
      }
      continue;
    }
    second.store(me, relaxed);
    fence();
    if (first.load(relaxed) == me) break;
    coming[me].store(0, relaxed);
    fence();
    for (int i = 1; i <= 2; i++)
      while (coming[i].load(relaxed)) {
      }
    fence();
    if (second.load(relaxed) == me) break;
    while (second.load(relaxed) != 0) {
    }
  }
  fence();
}

static void unlock(int me) {
  fence();
  second.store(0, relaxed);
  fence();
  coming[me].store(0, relaxed);
}

int main() {
  auto visitor = [](int me) {
    lock(me);
    visits++;
    unlock(me);
  };
  std::thread a(visitor, 1), b(visitor, 2);
  a.join();
  b.join();
  assert(visits == 2);
}
