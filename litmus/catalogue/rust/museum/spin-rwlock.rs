// A readers-writer lock whose writer lets go with a relaxed update: the next reader misses what was written.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

const READER: usize = 2;
const WRITER: usize = 1;

struct RwLock {
    state: AtomicUsize,
    data: UnsafeCell<(i32, i32)>,
}
unsafe impl Sync for RwLock {}

struct WriteGuard<'a>(&'a RwLock);
struct ReadGuard<'a>(&'a RwLock);

impl RwLock {
    fn try_write(&self) -> Option<WriteGuard<'_>> {
        self.state.compare_exchange(0, WRITER, Acquire, Relaxed).ok().map(|_| WriteGuard(self))
    }
    fn try_read(&self) -> Option<ReadGuard<'_>> {
        if self.state.fetch_add(READER, Acquire) & WRITER != 0 {
            self.state.fetch_sub(READER, Release);
            return None;
        }
        Some(ReadGuard(self))
    }
}

impl Drop for WriteGuard<'_> {
    fn drop(&mut self) {
        #[cfg(fixed)]
        self.0.state.fetch_and(!WRITER, Release);
        #[cfg(not(fixed))]
        self.0.state.fetch_and(!WRITER, Relaxed);
    }
}

impl Drop for ReadGuard<'_> {
    fn drop(&mut self) {
        self.0.state.fetch_sub(READER, Release);
    }
}

static LOCK: RwLock = RwLock { state: AtomicUsize::new(0), data: UnsafeCell::new((0, 0)) };

fn main() {
    let writer = thread::spawn(|| {
        if let Some(guard) = LOCK.try_write() {
            unsafe { *guard.0.data.get() = (1, 1) };
        }
    });
    if let Some(guard) = LOCK.try_read() {
        let (a, b) = unsafe { *guard.0.data.get() };
        assert_eq!(a, b);
    }
    writer.join().unwrap();
}
