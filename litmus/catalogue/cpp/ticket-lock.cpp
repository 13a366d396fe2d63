// A ticket lock: each thread takes the next number and waits until it is served. Without -D FENCES the number that is
// served is relaxed, and the next owner may miss what the last one wrote.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

class TicketLock {
  std::atomic<unsigned> next{0}, served{0};
  unsigned mine = 0; // of the owner

public:
  void lock() {
    unsigned ticket = next.fetch_add(1, std::memory_order_relaxed);
    while (served.load(acquire) != ticket) {
    }
    mine = ticket;
  }
  void unlock() { served.store(mine + 1, release); }
};

static TicketLock lock;
static int visits;

static void visitor() {
  std::lock_guard guard(lock);
  visits++;
}

int main() {
  std::thread a(visitor), b(visitor);
  a.join();
  b.join();
  assert(visits == 2);
}
