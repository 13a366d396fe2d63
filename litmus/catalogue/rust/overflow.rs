// Two threads add to a small number, which overflows: a panic, since overflow checks are on.
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

static BASE: AtomicU8 = AtomicU8::new(200);

fn main() {
    let t = thread::spawn(|| BASE.store(250, Relaxed));
    let sum = BASE.load(Relaxed) + 10;
    assert!(sum >= 210);
    t.join().unwrap();
}
