// A client of a lock of libvsync's that its own tests have none for, of their boilerplate.
#define WITH_INIT
#include <vsync/spinlock/arraylock.h>
#include <test/boilerplate/lock.h>
arraylock_t lock;
arraylock_flag_t flags[4];
vuint32_t slot[NTHREADS];
void init(void) { arraylock_init(&lock, flags, 4); }
void acquire(vuint32_t tid) { arraylock_acquire(&lock, &slot[tid]); }
void release(vuint32_t tid) { arraylock_release(&lock, slot[tid]); }
