// std::packaged_task runs in a thread, and its future has the result. With -D WRONG the result is taken for another one.
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int)> square([](int n) { return n * n; });
  auto result = square.get_future();
  std::thread worker(std::move(square), 3);
#ifdef WRONG
  assert(result.get() == 6);
#else
  assert(result.get() == 9);
#endif
  worker.join();
}
