// An exception leaves a critical section: std::lock_guard unlocks the mutex on the way. With -D NO_GUARD the mutex stays
// locked, and the next thread waits for ever.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int balance = 1;

static void withdraw(int amount) {
#ifdef NO_GUARD
  mutex.lock();
#else
  std::lock_guard guard(mutex);
#endif
  if (amount > balance) throw amount;
  balance -= amount;
#ifdef NO_GUARD
  mutex.unlock();
#endif
}

int main() {
  auto customer = [] {
    try {
      withdraw(2);
    } catch (int) {
    }
  };
  std::thread a(customer), b(customer);
  a.join();
  b.join();
  assert(balance == 1);
}
