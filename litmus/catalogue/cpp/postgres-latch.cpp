// PostgreSQL's latches: workers pass on a token, and each wakes the next by its latch. Without -D FENCES the latch may
// arrive before the token, and a worker wakes in vain.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

static constexpr int workers = 2, rounds = 2;
static std::atomic<int> latch[workers] = {1}, token[workers] = {1};

static void worker(int me) {
  int next = (me + 1) % workers;
  for (int k = 0; k < rounds; k++) {
    while (!latch[me].load(relaxed)) {
    }
    fence();
    assert(token[me].load(relaxed)); // no worker wakes in vain
    latch[me].store(0, relaxed);
    fence();
    if (token[me].load(relaxed)) {
      token[me].store(0, relaxed);
      token[next].store(1, relaxed);
      fence();
      latch[next].store(1, relaxed);
    }
  }
}

int main() {
  std::thread a(worker, 0), b(worker, 1);
  a.join();
  b.join();
}
