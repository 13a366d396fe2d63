// A ticket lock: threads draw a number, and wait until it is served.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

struct TicketLock {
    next: AtomicU32,
    serving: AtomicU32,
    value: UnsafeCell<i32>,
}
unsafe impl Sync for TicketLock {}

static LOCK: TicketLock =
    TicketLock { next: AtomicU32::new(0), serving: AtomicU32::new(0), value: UnsafeCell::new(0) };

const SERVE: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };

fn increment() -> i32 {
    let ticket = LOCK.next.fetch_add(1, Ordering::Relaxed);
    while LOCK.serving.load(Ordering::Acquire) != ticket {}
    let n = unsafe {
        *LOCK.value.get() += 1;
        *LOCK.value.get()
    };
    LOCK.serving.store(ticket + 1, SERVE);
    n
}

fn main() {
    let t = thread::spawn(increment);
    let a = increment();
    let b = t.join().unwrap();
    assert_eq!(a + b, 3);
}
