// An array that readers use without a lock: the writer replaces its storage and frees the old one if it sees no reader.
#include <atomic>
#include <cassert>
#include <thread>

#if defined FIRST || defined SECOND || defined FIXED
constexpr auto publish = std::memory_order_seq_cst;
#else
constexpr auto publish = std::memory_order_release;
#endif
#if defined SECOND || defined FIXED
constexpr auto look = std::memory_order_seq_cst;
#else
constexpr auto look = std::memory_order_acquire;
#endif
#ifdef FIXED
constexpr auto enter = std::memory_order_seq_cst;
#else
constexpr auto enter = std::memory_order_acquire;
#endif

struct Storage {
  int element;
};

class Array {
  std::atomic<int> readers{0};
  std::atomic<Storage *> elements{new Storage{1}};

public:
  int first() {
    readers.fetch_add(1, enter);
    int element = elements.load(enter)->element;
    readers.fetch_sub(1, std::memory_order_release);
    return element;
  }
  void grow() {
    Storage *old = elements.load(std::memory_order_relaxed);
    elements.store(new Storage{*old}, publish);
    if (readers.load(look) == 0) delete old;
  }
};

static Array array;

int main() {
  std::thread reader([] { assert(array.first() == 1); });
  array.grow();
  reader.join();
}
