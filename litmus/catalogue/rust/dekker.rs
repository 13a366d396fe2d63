// Dekker's flags with fences: sequentially consistent fences keep both threads out together. Without them
// (--cfg no_fence), both enter.
use std::sync::atomic::{fence, AtomicBool, AtomicI32, Ordering::*};
use std::thread;

static WANTS: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
static INSIDE: AtomicI32 = AtomicI32::new(0);

fn enter(me: usize) {
    WANTS[me].store(true, Relaxed);
    if !cfg!(no_fence) {
        fence(SeqCst);
    }
    if !WANTS[1 - me].load(Relaxed) {
        assert_eq!(INSIDE.fetch_add(1, Relaxed), 0);
    }
}

fn main() {
    let t = thread::spawn(|| enter(0));
    enter(1);
    t.join().unwrap();
}
