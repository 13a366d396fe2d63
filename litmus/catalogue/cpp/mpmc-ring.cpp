// A bounded queue for several producers and consumers: each place has a number that says whose turn it is. With -D RELAXED
// the number is stored relaxed, and a consumer may read a place before it is filled.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
constexpr auto release = std::memory_order_relaxed;
#else
constexpr auto release = std::memory_order_release;
#endif
constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire;

class Queue {
  static constexpr unsigned size = 2;
  struct Place {
    std::atomic<unsigned> turn;
    int value;
  } place[size];
  std::atomic<unsigned> in{0}, out{0};

public:
  Queue() {
    for (unsigned i = 0; i < size; i++) place[i].turn.store(i, relaxed);
  }
  bool push(int value) {
    unsigned at = in.load(relaxed);
    for (;;) {
      Place &p = place[at % size];
      unsigned turn = p.turn.load(acquire);
      if (turn == at) {
        if (!in.compare_exchange_weak(at, at + 1, relaxed)) continue;
        p.value = value;
        p.turn.store(at + 1, release);
        return true;
      }
      if (int(turn - at) < 0) return false;
      at = in.load(relaxed);
    }
  }
  bool pop(int &value) {
    unsigned at = out.load(relaxed);
    for (;;) {
      Place &p = place[at % size];
      unsigned turn = p.turn.load(acquire);
      if (turn == at + 1) {
        if (!out.compare_exchange_weak(at, at + 1, relaxed)) continue;
        value = p.value;
        p.turn.store(at + size, release);
        return true;
      }
      if (int(turn - (at + 1)) < 0) return false;
      at = out.load(relaxed);
    }
  }
};

static Queue queue;

int main() {
  std::thread a([] { assert(queue.push(1)); });
  std::thread b([] { assert(queue.push(2)); });
  int value = 0;
  if (queue.pop(value)) assert(value == 1 || value == 2);
  a.join();
  b.join();
}
