// Three threads meet at a barrier, and after it one of them reads data from before it.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FIXED
constexpr auto arrival = std::memory_order_release;
#else
constexpr auto arrival = std::memory_order_relaxed;
#endif

static int data;
static std::atomic<int> missing{1}, go{0};

int main() {
  std::thread arriver([] {
    data = 1;
    missing.store(0, arrival);
  });
  std::thread leader([] {
    if (missing.load(std::memory_order_relaxed)) return; // and look again
#ifdef FIXED
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    go.store(1, std::memory_order_release);
  });
  std::thread other([] {
    if (!go.load(std::memory_order_acquire)) return; // and look again
    assert(data == 1);
  });
  arriver.join();
  leader.join();
  other.join();
}
