// A client of a lock of libvsync's that its own tests have none for, of their boilerplate.
#define NWRITERS 2U
#define NREADERS 1U
#include <vsync/spinlock/rwlock.h>
#include <test/boilerplate/reader_writer.h>
rwlock_t lock = RWLOCK_INITN(2);
void writer_acquire(vuint32_t tid) { await_while (!rwlock_write_tryacquire(&lock)) {} }
void writer_release(vuint32_t tid) { rwlock_write_release(&lock); }
void reader_acquire(vuint32_t tid) { await_while (!rwlock_read_tryacquire(&lock)) {} }
void reader_release(vuint32_t tid) { rwlock_read_release(&lock); }
