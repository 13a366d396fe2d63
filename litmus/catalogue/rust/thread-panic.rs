// A thread panics. The panic is a failure with its message.
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static COUNT: AtomicI32 = AtomicI32::new(0);

fn main() {
    let t = thread::spawn(|| {
        if COUNT.fetch_add(1, Relaxed) == 1 {
            panic!("the other thread was first");
        }
    });
    COUNT.fetch_add(1, Relaxed);
    t.join().unwrap();
}
