// A thread unlocks a mutex and checks for waiters. A new waiter checks the mutex. Both check too early.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> locked{true};
static std::atomic<int> waiters;

int main() {
  bool woken = false, found_free = false;
  std::thread unlocker([&] {
    locked.exchange(false);
#ifdef FIXED
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
#ifdef ACQUIRE
    woken = waiters.load(std::memory_order_acquire);
#elif defined SEQ_CST
    woken = waiters.load(std::memory_order_seq_cst);
#else
    woken = waiters.load(std::memory_order_relaxed);
#endif
  });
  std::thread waiter([&] {
    waiters.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    found_free = !locked.load(std::memory_order_relaxed);
  });
  unlocker.join();
  waiter.join();
  assert(woken || found_free);
}
