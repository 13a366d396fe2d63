// std::atomic_ref makes the accesses of a plain variable atomic. With -D PLAIN one thread uses the variable itself.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int count = 0;
  std::thread other([&] { std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed); });
#ifdef PLAIN
  count++;
#else
  std::atomic_ref(count).fetch_add(1, std::memory_order_relaxed);
#endif
  other.join();
  assert(count == 2);
}
