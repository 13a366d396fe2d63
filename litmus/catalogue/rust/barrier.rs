// Two threads write, meet at a Barrier, and read what the other wrote.
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::sync::Barrier;
use std::thread;

fn main() {
    let barrier = Barrier::new(2);
    let a = AtomicI32::new(0);
    let b = AtomicI32::new(0);
    thread::scope(|s| {
        s.spawn(|| {
            a.store(1, Relaxed);
            barrier.wait();
            assert_eq!(b.load(Relaxed), 1);
        });
        b.store(1, Relaxed);
        barrier.wait();
        assert_eq!(a.load(Relaxed), 1);
    });
}
