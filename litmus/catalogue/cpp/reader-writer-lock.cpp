// A lock for one writer or several readers in one number. Without -D FENCES it orders nothing, and a reader may see one of
// two fields that the writer changes together.
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif
constexpr auto relaxed = std::memory_order_relaxed;

class Lock {
  static constexpr int all = 0x100000;
  std::atomic<int> left{all};

public:
  void lock_shared() {
    while (left.fetch_sub(1, acquire) <= 0) {
      left.fetch_add(1, relaxed);
      while (left.load(relaxed) <= 0) {
      }
    }
  }
  void unlock_shared() { left.fetch_add(1, release); }
  void lock() {
    while (left.fetch_sub(all, acquire) != all) {
      left.fetch_add(all, relaxed);
      while (left.load(relaxed) != all) {
      }
    }
  }
  void unlock() { left.fetch_add(all, release); }
};

static Lock lock;
static int data, twin;

int main() {
  std::thread writer([] {
    std::unique_lock guard(lock);
    data++;
    twin++;
  });
  std::thread reader([] {
    std::shared_lock guard(lock);
    assert(data == twin);
  });
  writer.join();
  reader.join();
  assert(data == 1 && twin == 1);
}
