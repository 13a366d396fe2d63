// std::recursive_mutex: a thread that has the lock may take it again. With -D PLAIN it is a std::mutex, and the thread waits
// for itself.
#include <cassert>
#include <mutex>
#include <thread>

#ifdef PLAIN
static std::mutex mutex;
#else
static std::recursive_mutex mutex;
#endif
static int count;

static void add(int n) {
  std::lock_guard guard(mutex);
  count++;
  if (n > 1) add(n - 1);
}

int main() {
  std::thread other(add, 2);
  add(1);
  other.join();
  assert(count == 3);
}
