// std::call_once: of two threads, one runs the initialisation, and both see what it wrote. With -D HAND_MADE a relaxed flag
// takes its place: both threads may run it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static std::atomic<bool> done;
static int value;

static void use() {
#ifdef HAND_MADE
  if (!done.load(std::memory_order_relaxed)) {
    value++;
    done.store(true, std::memory_order_relaxed);
  }
#else
  std::call_once(once, [] { value++; });
#endif
  assert(value == 1);
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
