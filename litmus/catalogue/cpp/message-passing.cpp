// A message and a flag: the store of the flag releases the message, and the load acquires it. With -D RELAXED the flag is
// relaxed, and the receiver may miss the message.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
constexpr auto acquire = std::memory_order_relaxed, release = std::memory_order_relaxed;
#else
constexpr auto acquire = std::memory_order_acquire, release = std::memory_order_release;
#endif

static int message;
static std::atomic<bool> flag;

int main() {
  std::thread sender([] {
    message = 1;
    flag.store(true, release);
  });
  if (flag.load(acquire)) assert(message == 1);
  sender.join();
}
