// Reclamation by epochs: a reader announces the epoch in which it reads, and the writer frees what it removed only if no
// reader is in an old epoch. With -D RELAXED the announcement may come after the read, and the reader uses freed memory.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
#define fence()
#else
#define fence() std::atomic_thread_fence(std::memory_order_seq_cst)
#endif
constexpr auto relaxed = std::memory_order_relaxed;

static std::atomic<int *> current;
static std::atomic<unsigned> epoch{1}, reading{0};

int main() {
  current.store(new int(1), relaxed);
  std::thread reader([] {
    reading.store(epoch.load(relaxed), relaxed);
    fence();
    if (int *p = current.load(std::memory_order_acquire)) assert(*p == 1);
    reading.store(0, std::memory_order_release);
  });
  int *old = current.exchange(nullptr, std::memory_order_acq_rel);
  unsigned now = epoch.fetch_add(1, std::memory_order_release) + 1;
  fence();
  unsigned seen = reading.load(std::memory_order_acquire);
  if (seen == 0 || seen == now) delete old;
  reader.join();
}
