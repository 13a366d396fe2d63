// A pool of workers that take tasks from a std::vector under a mutex. With -D NO_LOCK two workers take the same task.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::function<void()>> tasks;
static int ran[2];

static void worker() {
  std::function<void()> task;
  {
#ifndef NO_LOCK
    std::lock_guard guard(mutex);
#endif
    if (tasks.empty()) return;
    task = std::move(tasks.back());
    tasks.pop_back();
  }
  task();
}

int main() {
  tasks.reserve(2);
  tasks.emplace_back([] { ran[0]++; });
  tasks.emplace_back([] { ran[1]++; });
  std::thread other(worker);
  worker();
  other.join();
  assert(ran[0] == 1 && ran[1] == 1);
}
