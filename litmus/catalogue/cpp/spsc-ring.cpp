// A ring between one producer and one consumer: counts say which places are filled. Without -D FENCES they are relaxed,
// and the consumer may read a place before it is filled.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#else
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#endif

template <class T, int size> class Ring {
  T place[size];
  std::atomic<int> in{0}, out{0};

public:
  void push(T value) {
    int i = in.load(std::memory_order_relaxed);
    while (i - out.load(acquire) == size) {
    }
    place[i % size] = value;
    in.store(i + 1, release);
  }
  T pop() {
    int i = out.load(std::memory_order_relaxed);
    while (in.load(acquire) == i) {
    }
    T value = place[i % size];
    out.store(i + 1, release);
    return value;
  }
};

static Ring<int, 2> ring;

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 3; i++) ring.push(i);
  });
  std::thread consumer([] {
    for (int i = 1; i <= 3; i++) assert(ring.pop() == i);
  });
  producer.join();
  consumer.join();
}
