// A client of a lock of libvsync's that its own tests have none for, of their boilerplate.
#include <vsync/spinlock/rwlock.h>
#include <test/boilerplate/reader_writer.h>
rwlock_t lock = RWLOCK_INITN(2);
void writer_acquire(vuint32_t tid) { rwlock_write_acquire(&lock); }
void writer_release(vuint32_t tid) { rwlock_write_release(&lock); }
void reader_acquire(vuint32_t tid) { rwlock_read_acquire(&lock); }
void reader_release(vuint32_t tid) { rwlock_read_release(&lock); }
