// A set as a sorted list of nodes that new makes, with one lock around each operation. Without -D FENCES the lock's orders
// are relaxed.
#include <atomic>
#include <cassert>
#include <climits>
#include <mutex>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

class Lock {
  std::atomic<int> held{0};

public:
  void lock() {
    int is = 0;
    while (!held.compare_exchange_strong(is, 1, acquire, std::memory_order_relaxed)) is = 0;
  }
  void unlock() { held.store(0, release); }
};

struct Node {
  int key;
  Node *next;
};

class Set {
  Lock lock;
  Node last{INT_MAX, nullptr}, first{INT_MIN, &last};

  Node *before(int key) {
    Node *at = &first;
    while (at->next->key < key) at = at->next;
    return at;
  }

public:
  bool add(int key) {
    Node *node = new Node{key, nullptr};
    {
      std::lock_guard guard(lock);
      Node *at = before(key);
      if (at->next->key != key) {
        node->next = at->next;
        at->next = node;
        return true;
      }
    }
    delete node;
    return false;
  }
  bool remove(int key) {
    Node *gone = nullptr;
    {
      std::lock_guard guard(lock);
      Node *at = before(key);
      if (at->next->key == key) {
        gone = at->next;
        at->next = gone->next;
      }
    }
    if (!gone) return false;
    delete gone;
    return true;
  }
  int size() {
    int n = 0;
    for (Node *at = first.next; at != &last; at = at->next) n++;
    return n;
  }
};

static Set set;
static bool added[2], removed[2];

int main() {
  auto user = [](int i) {
    added[i] = set.add(i + 1);
    removed[i] = set.remove(1);
  };
  std::thread a(user, 0), b(user, 1);
  a.join();
  b.join();
  assert(set.size() == added[0] - removed[0] + added[1] - removed[1]);
}
