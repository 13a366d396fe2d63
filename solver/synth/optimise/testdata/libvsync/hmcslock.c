// A client of a lock of libvsync's that its own tests have none for, of their boilerplate.
#define WITH_INIT
#define HMCS_MAX_THREADS 4U
#include <vsync/spinlock/hmcslock.h>
#include <test/boilerplate/lock.h>
hmcslock_t locks[3];
hmcs_node_t nodes[NTHREADS];
hmcslock_level_spec_t levels[2] = {{1, 2}, {2, 2}};
void init(void) { hmcslock_init(locks, 3, levels, 2); }
void acquire(vuint32_t tid) { hmcslock_acquire(&locks[1 + tid % 2], &nodes[tid], 2); }
void release(vuint32_t tid) { hmcslock_release(&locks[1 + tid % 2], &nodes[tid], 2); }
