// Michael and Scott's queue: a list with a dummy node, and a tail that may lag behind. Without -D FENCES an element may be
// taken before it is filled.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

struct Node {
  int value = 0;
  std::atomic<Node *> next{nullptr};
};

static Node nodes[3]; // the first is the dummy
static std::atomic<Node *> head{&nodes[0]}, tail{&nodes[0]};

static void enqueue(Node *n, int value) {
  n->value = value;
  for (;;) {
    Node *last = tail.load(acquire), *next = last->next.load(acquire);
    if (!next && last->next.compare_exchange_strong(next, n, release, acquire)) {
      tail.compare_exchange_strong(last, n, release, acquire);
      return;
    }
    tail.compare_exchange_strong(last, next, release, acquire);
  }
}

// dequeue returns 0 if the queue is empty.
static int dequeue() {
  for (;;) {
    Node *first = head.load(acquire), *last = tail.load(acquire), *next = first->next.load(acquire);
    if (first != head.load(acquire)) continue;
    if (!next) return 0;
    if (first == last) {
      tail.compare_exchange_strong(last, next, release, acquire);
      continue;
    }
    if (head.compare_exchange_strong(first, next, release, acquire)) return next->value;
  }
}

int main() {
  int first = 0, second = 0;
  std::thread sender([] {
    enqueue(&nodes[1], 1);
    enqueue(&nodes[2], 2);
  });
  std::thread receiver([&] {
    first = dequeue();
    second = dequeue();
  });
  sender.join();
  receiver.join();
  int rest = dequeue() + dequeue();
  assert(first + second + rest == 3);
  assert(first != 2 && !(first == 1 && second == 1));
}
