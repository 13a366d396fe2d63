// Double-checked locking: the fast path loads the pointer without the mutex, so the load must acquire. With -D RELAXED it
// does not, and a thread may use the object before it is filled.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef RELAXED
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#else
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#endif

struct Config {
  int size = 7;
};

static std::atomic<Config *> current;
static std::mutex mutex;

static Config *config() {
  Config *c = current.load(acquire);
  if (!c) {
    std::lock_guard guard(mutex);
    c = current.load(std::memory_order_relaxed);
    if (!c) {
      c = new Config;
      current.store(c, release);
    }
  }
  return c;
}

int main() {
  std::thread other([] { assert(config()->size == 7); });
  assert(config()->size == 7);
  other.join();
  delete current.load();
}
