// A wait with a time limit: it may end without the item, which the program must check. With -D UNCHECKED it does not.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any ready;
static int item;

int main() {
  std::thread producer([] {
    std::lock_guard guard(mutex);
    item = 1;
    ready.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    bool there = ready.wait_for(lock, std::chrono::milliseconds(5), [] { return item != 0; });
#ifdef UNCHECKED
    there = true;
#endif
    if (there) assert(item == 1);
  }
  producer.join();
}
