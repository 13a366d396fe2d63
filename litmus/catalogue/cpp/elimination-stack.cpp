// An elimination stack: a push and a pop that conflict exchange a node beside the stack. Without -D FENCES the pop may
// miss what the push has written to the node.
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

static Node nodes[2], gone; // gone: the offered node is taken

class Stack {
  std::atomic<Node *> offered;

  bool try_push(Node *n) {
    Node *h = head.load(relaxed);
    n->next.store(h, relaxed);
    return head.compare_exchange_strong(h, n, release, relaxed);
  }
  bool offer(Node *n) {
    Node *none = nullptr, *mine = n;
    if (!offered.compare_exchange_strong(none, n, release, relaxed)) return false;
    if (offered.compare_exchange_strong(mine, nullptr, relaxed, relaxed)) return false; // no pop took the node
    offered.store(nullptr, relaxed);
    return true;
  }

public:
  std::atomic<Node *> head;

  void push(Node *n) {
    while (!try_push(n) && !offer(n)) {
    }
  }
  // pop returns no node if it finds none.
  Node *pop() {
    Node *n = head.load(acquire);
    if (n) {
      Node *next = n->next.load(relaxed);
      if (head.compare_exchange_strong(n, next, acquire, relaxed)) return n;
    }
    n = offered.load(relaxed);
    if (n && n != &gone && offered.compare_exchange_strong(n, &gone, acquire, relaxed)) return n;
    return nullptr;
  }
};

static Stack stack;
static Node *popped;

int main() {
  nodes[0].value = 1;
  stack.push(&nodes[0]);
  std::thread pusher([] {
    nodes[1].value = 1;
    stack.push(&nodes[1]);
  });
  std::thread popper([] {
    popped = stack.pop();
    if (popped) assert(popped->value == 1);
  });
  pusher.join();
  popper.join();
  int left = 0;
  for (Node *n = stack.head.load(); n; n = n->next.load()) {
    assert(n != popped);
    left++;
  }
  assert(left == (popped ? 1 : 2));
}
