// std::binary_semaphore hands a value from one thread to another. With -D SPARE it starts with a permit, and the receiver
// does not wait.
#include <cassert>
#include <semaphore>
#include <thread>

#ifdef SPARE
static std::binary_semaphore filled(1);
#else
static std::binary_semaphore filled(0);
#endif
static int value;

int main() {
  std::thread sender([] {
    value = 1;
#ifndef SPARE
    filled.release();
#endif
  });
  filled.acquire();
  assert(value == 1);
  sender.join();
}
