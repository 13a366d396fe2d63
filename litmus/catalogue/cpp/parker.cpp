// A parker on std::mutex: a thread sleeps until another leaves it a permit. It takes a permit that it sees without the
// mutex. Without -D FENCES that store may overwrite a later permit, and the thread misses its wake-up.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

class Parker {
  std::mutex mutex;
  std::atomic<int> permit{1}; // a permit is left over

public:
  bool asleep = false, woken = false;

  // park reports whether the thread sleeps.
  bool park() {
    if (permit.load(relaxed)) {
      permit.store(0, relaxed);
      fence();
      return false;
    }
    std::lock_guard guard(mutex);
    bool sleeps = !permit.load(relaxed);
    if (sleeps) asleep = true;
    permit.store(0, relaxed);
    return sleeps;
  }
  void unpark() {
    std::lock_guard guard(mutex);
    int before = permit.load(relaxed);
    permit.store(1, relaxed);
    if (!before) woken = true;
  }
};

static Parker parker;
static std::atomic<int> done;

int main() {
  std::thread waiter([] {
    for (int k = 0; k < 2 && !done.load(relaxed); k++)
      if (parker.park()) break;
  });
  std::thread waker([] {
    done.store(1, relaxed);
    fence(); // entering the mutex is not a fence
    parker.unpark();
  });
  waiter.join();
  waker.join();
  assert(!parker.asleep || parker.woken);
}
