// A thread waits for an atomic and another notifies it. The library keeps a count of waiters and a number that each
// notification changes. The waiter sees the old number, and the notifier sees no waiter.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> waiters, number;

int main() {
  bool sleeps = false, woken = false;
  std::thread waiter([&] {
    int old = 0; // the number before the waiter found that it must wait
#ifdef FIXED
    waiters.fetch_add(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
#else
    waiters.fetch_add(1, std::memory_order_seq_cst);
#endif
    sleeps = number.load(std::memory_order_relaxed) == old; // the kernel compares before the thread sleeps
  });
  std::thread notifier([&] {
#ifdef FIXED
    number.fetch_add(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    woken = waiters.load(std::memory_order_relaxed) != 0;
#else
    number.fetch_add(1, std::memory_order_release);
    woken = waiters.load(std::memory_order_seq_cst) != 0;
#endif
  });
  waiter.join();
  notifier.join();
  assert(!sleeps || woken);
}
