// Treiber's stack with a hazard pointer: a thread announces the node that it reads, and the other frees only nodes that
// nobody announces. With -D NO_FENCE the announcement may come after the check, and the node is used after it is freed.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef NO_FENCE
constexpr auto order = std::memory_order_relaxed;
#else
constexpr auto order = std::memory_order_seq_cst;
#endif

struct Node {
  int value;
};

static std::atomic<Node *> head{nullptr}, hazard{nullptr};

int main() {
  head.store(new Node{1}, std::memory_order_relaxed);
  std::thread reader([] {
    Node *n = head.load(std::memory_order_acquire);
    if (!n) return;
    hazard.store(n, order);
    if (head.load(order) == n) assert(n->value == 1);
    hazard.store(nullptr, std::memory_order_release);
  });
  Node *n = head.exchange(nullptr, order);
  if (hazard.load(order) != n) delete n; // otherwise the node stays: nobody retires it later here
  reader.join();
}
