// A work queue has two jobs, an owner that takes at the bottom, and two thieves that steal at the top. One job runs twice.
#include <atomic>
#include <cassert>
#include <thread>

class Deque {
  std::atomic<int> bottom{2}, top{0};

public:
  // pop returns the number of the owner's job, -1 for none.
  int pop() {
    int b = bottom.load(std::memory_order_relaxed) - 1;
    bottom.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return b > top.load(std::memory_order_relaxed) ? b : -1; // the last job needs an update, which is left out
  }
  // steal returns the number of the thief's job, -1 for none.
  int steal() {
#ifdef FIXED
    int t = top.load(std::memory_order_acquire);
    int b = bottom.load(std::memory_order_acquire);
#elif defined FENCE
    int t = top.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int b = bottom.load(std::memory_order_relaxed);
#else
    int t = top.load(std::memory_order_relaxed);
    int b = bottom.load(std::memory_order_relaxed);
#endif
    if (b <= t) return -1;
    int job = t;
    return top.compare_exchange_strong(t, t + 1) ? job : -1;
  }
};

static Deque deque;

int main() {
  int jobs[3];
  std::thread owner([&] { jobs[0] = deque.pop(); });
  std::thread a([&] { jobs[1] = deque.steal(); }), b([&] { jobs[2] = deque.steal(); });
  owner.join();
  a.join();
  b.join();
  assert((jobs[0] == 1) + (jobs[1] == 1) + (jobs[2] == 1) <= 1);
}
