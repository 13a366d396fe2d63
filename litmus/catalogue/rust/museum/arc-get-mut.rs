// A reference count: one thread changes the object and drops its reference, the other finds that it has the only one and
// uses the object as its own.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;

struct Inner {
    strong: AtomicUsize,
    weak: AtomicUsize,
    data: UnsafeCell<i32>,
}
unsafe impl Sync for Inner {}

static INNER: Inner = Inner { strong: AtomicUsize::new(2), weak: AtomicUsize::new(1), data: UnsafeCell::new(0) };

fn is_unique() -> bool {
    // the weak count is locked while the strong one is read
    if INNER.weak.compare_exchange(1, usize::MAX, Acquire, Relaxed).is_err() {
        return false;
    }
    #[cfg(fixed)]
    let unique = INNER.strong.load(Acquire) == 1;
    #[cfg(not(fixed))]
    let unique = INNER.strong.load(Relaxed) == 1;
    INNER.weak.store(1, Release);
    unique
}

fn main() {
    let t = thread::spawn(|| {
        unsafe { *INNER.data.get() += 1 };
        INNER.strong.fetch_sub(1, Release); // drops the reference
    });
    if is_unique() {
        assert_eq!(unsafe { *INNER.data.get() }, 1);
    }
    t.join().unwrap();
}
