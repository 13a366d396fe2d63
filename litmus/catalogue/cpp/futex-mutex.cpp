// A mutex on std::atomic::wait: 0 is free, 1 is locked, 2 is locked and somebody sleeps. With -D RELAXED its orders are
// relaxed, and the next owner may miss what the last one wrote.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef RELAXED
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#else
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#endif

class Mutex {
  std::atomic<int> word{0};

public:
  void lock() {
    int was = 0;
    if (word.compare_exchange_strong(was, 1, acquire)) return;
    while (word.exchange(2, acquire) != 0) word.wait(2, std::memory_order_relaxed);
  }
  void unlock() {
    if (word.exchange(0, release) == 2) word.notify_one();
  }
};

static Mutex mutex;
static int visits;

int main() {
  auto visitor = [] {
    std::lock_guard guard(mutex);
    visits++;
  };
  std::thread a(visitor), b(visitor);
  a.join();
  b.join();
  assert(visits == 2);
}
