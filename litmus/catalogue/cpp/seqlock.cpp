// A sequence lock as a template: readers load a counter before and after, and try again if it changed or is odd. Without
// -D FENCES the reads and writes of the data may leave their place between the counters.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence(order) std::atomic_thread_fence(std::memory_order_##order)
#else
#define fence(order)
#endif
constexpr auto relaxed = std::memory_order_relaxed;

template <class T> class Seqlock {
  std::atomic<int> sequence{0};
  std::atomic<T> a{0}, b{0};

public:
  void write(T value) {
    int now = sequence.load(relaxed);
    sequence.store(now + 1, relaxed);
    fence(release);
    a.store(value, relaxed);
    b.store(value, relaxed);
    fence(release);
    sequence.store(now + 2, relaxed);
  }
  bool consistent() const {
    for (;;) {
      int before = sequence.load(relaxed);
      if (before & 1) continue;
      fence(acquire);
      T seen_a = a.load(relaxed), seen_b = b.load(relaxed);
      fence(acquire);
      if (sequence.load(relaxed) == before) return seen_a == seen_b;
    }
  }
};

static Seqlock<int> lock;

int main() {
  std::thread writer([] {
    lock.write(1);
    lock.write(2);
  });
  std::thread reader([] { assert(lock.consistent()); });
  writer.join();
  reader.join();
}
