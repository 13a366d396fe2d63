// std::shared_mutex: several readers or one writer. With -D WRONG the writer takes it as a reader does.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static int a, b;

int main() {
  std::thread writer([] {
#ifdef WRONG
    std::shared_lock guard(mutex);
#else
    std::unique_lock guard(mutex);
#endif
    a = 1;
    b = 1;
  });
  {
    std::shared_lock guard(mutex);
    assert(a == b);
  }
  writer.join();
}
