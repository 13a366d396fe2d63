// Two threads push to a queue and then pop from it. One sees the other's pop, but not the push before that, and finds the
// queue empty.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> head, tail; // numbers of the next element to take and to add

static void push() { tail.fetch_add(1); }

static bool try_pop() {
#ifdef FIXED
  int ticket = head.load(std::memory_order_acquire);
#else
  int ticket = head.load(std::memory_order_relaxed);
#endif
  do {
    if (tail.load(std::memory_order_relaxed) - ticket <= 0) return false;
  } while (!head.compare_exchange_strong(ticket, ticket + 1));
  return true;
}

int main() {
  auto user = [] {
    push();
    assert(try_pop());
  };
  std::thread a(user), b(user);
  a.join();
  b.join();
}
