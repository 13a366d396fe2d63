// A singleton is published before it is built: the release fence stands behind the store of the pointer.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Object {
  int value = 1;
};

static std::atomic<Object *> object;
static std::mutex mutex;

static Object &instance() {
  Object *o = object.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (o) return *o;
  std::lock_guard guard(mutex);
  if (Object *now = object.load(std::memory_order_relaxed)) return *now;
  o = new Object;
#ifdef FIXED
  std::atomic_thread_fence(std::memory_order_release);
  object.store(o, std::memory_order_relaxed);
#else
  object.store(o, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
#endif
  return *o;
}

int main() {
  auto user = [] { assert(instance().value == 1); };
  std::thread a(user), b(user);
  a.join();
  b.join();
}
