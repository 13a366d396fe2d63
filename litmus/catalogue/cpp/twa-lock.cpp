// A ticket lock whose far waiters wait at a place in a shared table, which lock and ticket determine. The next thread
// waits for its number to be served. Without -D FENCES all orders are relaxed.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
constexpr auto both = std::memory_order_acq_rel;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
constexpr auto both = std::memory_order_relaxed;
#endif

static constexpr unsigned places = 4096;
static std::atomic<unsigned> table[places];

class Lock {
  static constexpr unsigned near = 1; // at this distance or less, a thread waits for the number itself
  std::atomic<unsigned> next, served;

  std::atomic<unsigned> &place(unsigned ticket) {
    return table[((reinterpret_cast<std::uintptr_t>(this) >> 4) ^ ticket * 127) % places];
  }

public:
  unsigned lock() {
    unsigned mine = next.fetch_add(1, std::memory_order_relaxed);
    while (mine - served.load(acquire) > near) {
      unsigned was = place(mine).load(acquire);
      if (mine - served.load(acquire) <= near) break;
      while (place(mine).load(acquire) == was) {
      }
    }
    while (served.load(acquire) != mine) {
    }
    return mine;
  }
  void unlock(unsigned mine) {
    served.store(mine + 1, release);
    place(mine + 1 + near).fetch_add(1, both);
  }
};

static Lock lock;
static int visits;

int main() {
  auto visitor = [] {
    unsigned mine = lock.lock();
    visits++;
    lock.unlock(mine);
  };
  std::thread a(visitor), b(visitor);
  a.join();
  b.join();
  assert(visits == 2);
}
