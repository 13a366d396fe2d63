// Lamport's bakery as a class: each thread draws a number, and the smallest number is served first. Without -D FENCES,
// two threads may miss each other's numbers and enter together.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

class Bakery {
  static constexpr int threads = 2;
  std::atomic<int> drawing[threads], number[threads];

  // before reports whether thread i, with number n, comes before this thread.
  static bool before(int n, int i, int mine, int me) { return n != 0 && (n < mine || (n == mine && i < me)); }

public:
  void lock(int me) {
    int mine = 0;
    drawing[me].store(1, relaxed);
    fence();
    for (auto &other : number) {
      int n = other.load(relaxed);
      if (n > mine) mine = n;
    }
    mine++;
    number[me].store(mine, relaxed);
    fence();
    drawing[me].store(0, relaxed);
    fence();
    for (int i = 0; i < threads; i++) {
      if (i == me) continue;
      while (drawing[i].load(relaxed)) {
      }
      fence();
      while (before(number[i].load(relaxed), i, mine, me)) {
      }
    }
    fence();
  }
  void unlock(int me) {
    fence();
    number[me].store(0, relaxed);
  }
};

static Bakery bakery;
static int visits;

int main() {
  auto visitor = [](int me) {
    bakery.lock(me);
    visits++;
    bakery.unlock(me);
  };
  std::thread a(visitor, 0), b(visitor, 1);
  a.join();
  b.join();
  assert(visits == 2);
}
