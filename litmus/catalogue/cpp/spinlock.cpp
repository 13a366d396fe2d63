// A spinlock around an exchange: entering acquires and leaving releases. Without -D FENCES both are relaxed, and the next
// owner may miss what the last one wrote.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

class Spinlock {
  std::atomic<int> word{0};

public:
  void lock() {
    while (word.exchange(1, acquire)) {
    }
  }
  void unlock() { word.store(0, release); }
};

static Spinlock spinlock;
static int visits;

static void visitor() {
  std::lock_guard guard(spinlock);
  visits++;
}

int main() {
  std::thread a(visitor), b(visitor);
  a.join();
  b.join();
  assert(visits == 2);
}
