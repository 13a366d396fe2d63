// A queued spinlock of two levels, like the Linux kernel's: one word with a bit for the holder, a bit for the next thread,
// and the tail of a queue of all other threads. Without -D FENCES all orders are relaxed.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
constexpr auto both = std::memory_order_acq_rel;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
constexpr auto both = std::memory_order_relaxed;
#endif
constexpr auto relaxed = std::memory_order_relaxed;

struct Node {
  std::atomic<unsigned> next;
  std::atomic<bool> waits;
};

class Lock {
  static constexpr unsigned held = 1, pending = 2, tail = 4; // tail times the number of a thread, which begins at 1
  std::atomic<unsigned> word;
  Node nodes[3];

  void queue(unsigned me) {
    unsigned w = word.load(relaxed), next;
    nodes[me].next.store(0, relaxed);
    nodes[me].waits.store(true, relaxed);
    while (!word.compare_exchange_weak(w, (w & (held | pending)) | me * tail, both, relaxed)) {
    }
    if (w / tail) {
      nodes[w / tail].next.store(me, release);
      while (nodes[me].waits.load(acquire)) {
      }
    }
    while ((w = word.load(acquire)) & (held | pending)) {
    }
    if (w == me * tail && word.compare_exchange_strong(w, held, relaxed, relaxed)) return;
    word.fetch_or(held, relaxed);
    while (!(next = nodes[me].next.load(acquire))) {
    }
    nodes[next].waits.store(false, release);
  }

public:
  void lock(unsigned me) {
    unsigned w = 0;
    if (word.compare_exchange_strong(w, held, acquire, relaxed)) return;
    w = word.load(relaxed);
    if (!(w & ~held)) {
      w = word.fetch_or(pending, acquire);
      if (!(w & ~held)) {
        while (word.load(acquire) & held) {
        }
        word.fetch_sub(pending - held, relaxed);
        return;
      }
      if (!(w & pending)) word.fetch_and(~pending, relaxed);
    }
    queue(me);
  }
  void unlock() { word.fetch_sub(held, release); }
};

static Lock lock;
static int visits;

int main() {
  auto visitor = [](unsigned me) {
    lock.lock(me);
    visits++;
    lock.unlock();
  };
  std::thread a(visitor, 1u), b(visitor, 2u);
  a.join();
  b.join();
  assert(visits == 2);
}
