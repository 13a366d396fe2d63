// A thread writes data and then sets a flag; another waits for the flag and reads the data. With release and acquire
// the data is safe. A relaxed flag (--cfg relaxed) is a data race.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

struct Message {
    data: UnsafeCell<i32>,
    ready: AtomicBool,
}
unsafe impl Sync for Message {}

static MESSAGE: Message = Message { data: UnsafeCell::new(0), ready: AtomicBool::new(false) };

#[cfg(relaxed)]
const ORDERS: (Ordering, Ordering) = (Ordering::Relaxed, Ordering::Relaxed);
#[cfg(not(relaxed))]
const ORDERS: (Ordering, Ordering) = (Ordering::Release, Ordering::Acquire);

fn main() {
    let writer = thread::spawn(|| {
        unsafe { *MESSAGE.data.get() = 42 };
        MESSAGE.ready.store(true, ORDERS.0);
    });
    if MESSAGE.ready.load(ORDERS.1) {
        assert_eq!(unsafe { *MESSAGE.data.get() }, 42);
    }
    writer.join().unwrap();
}
