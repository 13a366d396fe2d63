// A client of a lock of libvsync's that its own tests have none for, of their boilerplate.
#include <vsync/spinlock/semaphore.h>
#include <test/boilerplate/lock.h>
semaphore_t lock = SEMAPHORE_INIT(1);
void acquire(vuint32_t tid) {
  if (tid == 0) await_while (!semaphore_tryacquire(&lock, 1)) {}
  else semaphore_acquire(&lock, 1);
}
void release(vuint32_t tid) { semaphore_release(&lock, 1); }
