// Chase and Lev's work-stealing queue: the owner puts and takes at the bottom, a thief steals at the top. Without -D FENCES
// a task is both taken and stolen.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

#ifdef FENCES
#define fence(order) std::atomic_thread_fence(std::memory_order_##order)
constexpr auto acquire = std::memory_order_acquire;
#else
#define fence(order)
constexpr auto acquire = std::memory_order_relaxed;
#endif
constexpr auto relaxed = std::memory_order_relaxed;

class Deque {
  static constexpr int size = 2;
  std::array<std::atomic<int>, size> task{};
  std::atomic<int> top{0}, bottom{0};

public:
  void put(int what) {
    int b = bottom.load(relaxed);
    task[b % size].store(what, relaxed);
    fence(release);
    bottom.store(b + 1, relaxed);
  }
  // take and steal return 0 if there is no task, or if another thread was quicker.
  int take() {
    int b = bottom.load(relaxed) - 1, what = 0;
    bottom.store(b, relaxed);
    fence(seq_cst);
    int t = top.load(relaxed);
    if (t <= b) {
      what = task[b % size].load(relaxed);
      if (t < b) return what;
      if (!top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, relaxed)) what = 0;
    }
    bottom.store(b + 1, relaxed);
    return what;
  }
  int steal() {
    int t = top.load(acquire);
    fence(seq_cst);
    int b = bottom.load(acquire);
    if (t >= b) return 0;
    int what = task[t % size].load(relaxed);
    return top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, relaxed) ? what : 0;
  }
};

static Deque deque;
static std::atomic<int> done[3]; // how often each task was taken

int main() {
  std::thread owner([] {
    deque.put(1);
    deque.put(2);
    done[deque.take()].fetch_add(1, relaxed);
    done[deque.take()].fetch_add(1, relaxed);
  });
  std::thread thief([] {
    done[deque.steal()].fetch_add(1, relaxed);
    done[deque.steal()].fetch_add(1, relaxed);
  });
  owner.join();
  thief.join();
  assert(done[1] == 1 && done[2] == 1);
}
