// Read-copy-update with its own grace periods: the writer destroys an old version when no reader uses it. A guard object
// announces a reader. Without -D FENCES, writer and reader may miss each other.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#else
#define fence()
#endif
constexpr auto relaxed = std::memory_order_relaxed;

static int before = 1, after;
static std::atomic<int *> current{&before};
static std::atomic<int> reading;

struct Reading {
  Reading() {
    reading.store(1, relaxed);
    fence();
  }
  ~Reading() {
    fence();
    reading.store(0, relaxed);
  }
};

int main() {
  std::thread writer([] {
    after = 2;
    fence();
    current.store(&after, relaxed);
    fence();
    while (reading.load(relaxed)) {
    }
    fence();
    before = 0; // destroyed
  });
  std::thread reader([] {
    Reading guard;
    int *v = current.load(relaxed);
    fence();
    assert(*v != 0);
  });
  writer.join();
  reader.join();
}
