// The CLH lock: each thread waits on the node of the thread before it, and takes over that node. With -D RELAXED the flag
// in the node is relaxed, and the next owner may miss what the last one wrote.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#else
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#endif

struct Node {
  std::atomic<bool> busy{false};
};

static Node nodes[3];
static std::atomic<Node *> tail{&nodes[2]};
static int visits;

static void visitor(Node *me) {
  me->busy.store(true, std::memory_order_relaxed);
  Node *before = tail.exchange(me, std::memory_order_acq_rel);
  while (before->busy.load(acquire)) {
  }
  visits++;
  me->busy.store(false, release);
}

int main() {
  std::thread a(visitor, &nodes[0]), b(visitor, &nodes[1]);
  a.join();
  b.join();
  assert(visits == 2);
}
