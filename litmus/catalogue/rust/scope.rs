// Scoped threads borrow variables of main. The scope joins both before it returns.
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

fn main() {
    let total = AtomicU32::new(0);
    let mut left = 0;
    let mut right = 0;
    thread::scope(|s| {
        s.spawn(|| {
            left = 1;
            total.fetch_add(1, Relaxed);
        });
        s.spawn(|| {
            right = 2;
            total.fetch_add(2, Relaxed);
        });
    });
    assert_eq!(total.load(Relaxed), 3);
    assert_eq!(left + right, 3);
}
