// Treiber's stack: a list whose head is changed by compare-and-swap. Without -D FENCES a node may be seen before it is
// filled.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif
constexpr auto relaxed = std::memory_order_relaxed;

struct Node {
  int value;
  std::atomic<Node *> next;
};

class Stack {
  std::atomic<Node *> head{nullptr};

public:
  void push(Node *n) {
    Node *h = head.load(relaxed);
    do n->next.store(h, relaxed);
    while (!head.compare_exchange_strong(h, n, release, relaxed));
  }
  Node *pop() {
    Node *h = head.load(acquire), *next;
    do {
      if (!h) return nullptr;
      next = h->next.load(relaxed);
    } while (!head.compare_exchange_strong(h, next, acquire, acquire));
    return h;
  }
};

static Stack stack;
static Node a, b;

int main() {
  b.value = 2;
  stack.push(&b);
  std::thread pusher([] {
    a.value = 1;
    stack.push(&a);
  });
  std::thread popper([] {
    if (Node *n = stack.pop()) assert(n->value != 0);
  });
  pusher.join();
  popper.join();
}
