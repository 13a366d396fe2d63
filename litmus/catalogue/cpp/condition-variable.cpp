// A condition variable: the waiter checks the condition in a loop, because it may wake without a signal. With -D ONCE it
// checks once, and goes on before the item is there.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable ready;
static int item;

int main() {
  std::thread producer([] {
    std::lock_guard guard(mutex);
    item = 1;
    ready.notify_one();
  });
  {
    std::unique_lock lock(mutex);
#ifdef ONCE
    if (item == 0) ready.wait(lock);
#else
    ready.wait(lock, [] { return item != 0; });
#endif
    assert(item == 1);
  }
  producer.join();
}
