// The MCS lock as a guard object: each thread waits on a node of its own until the thread before it releases it. Without
// -D FENCES all orders are relaxed.
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
  std::atomic<Node *> next;
  std::atomic<int> waits;
};

static std::atomic<Node *> tail;
static Node nodes[2];

class Guard {
  Node &me;

public:
  explicit Guard(Node &node) : me(node) {
    me.next.store(nullptr, relaxed);
    me.waits.store(1, relaxed);
    Node *before = tail.exchange(&me, both);
    if (!before) return;
    before->next.store(&me, release);
    while (me.waits.load(acquire)) {
    }
  }
  ~Guard() {
    Node *next = me.next.load(acquire), *last = &me;
    if (!next) {
      if (tail.compare_exchange_strong(last, nullptr, release, relaxed)) return;
      while (!(next = me.next.load(acquire))) {
      }
    }
    next->waits.store(0, release);
  }
};

static int visits;

int main() {
  auto visitor = [](int i) {
    Guard guard(nodes[i]);
    visits++;
  };
  std::thread a(visitor, 0), b(visitor, 1);
  a.join();
  b.join();
  assert(visits == 2);
}
