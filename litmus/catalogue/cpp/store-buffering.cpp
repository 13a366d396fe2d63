// Store buffering: each thread sets its own flag and loads the other's. Without -D FENCES both may miss the other's flag.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

static std::atomic<int> x, y;

int main() {
  int left = 0, right = 0;
  std::thread a([&] {
    x.store(1, relaxed);
    fence();
    left = y.load(relaxed);
  });
  std::thread b([&] {
    y.store(1, relaxed);
    fence();
    right = x.load(relaxed);
  });
  a.join();
  b.join();
  assert(left == 1 || right == 1);
}
