// A spin lock over an AtomicBool. Its release store must not be relaxed (--cfg relaxed): then critical sections race.
use std::cell::UnsafeCell;
use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct SpinLock {
    locked: AtomicBool,
    value: UnsafeCell<i32>,
}
unsafe impl Sync for SpinLock {}

static LOCK: SpinLock = SpinLock { locked: AtomicBool::new(false), value: UnsafeCell::new(0) };

const UNLOCK: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };

impl SpinLock {
    fn with<R>(&self, f: impl FnOnce(&mut i32) -> R) -> R {
        while self.locked.swap(true, Ordering::Acquire) {
            hint::spin_loop();
        }
        let result = f(unsafe { &mut *self.value.get() });
        self.locked.store(false, UNLOCK);
        result
    }
}

fn main() {
    let t = thread::spawn(|| LOCK.with(|n| *n += 1));
    LOCK.with(|n| *n += 1);
    t.join().unwrap();
    assert_eq!(LOCK.with(|n| *n), 2);
}
