// A sequence lock: a reader retries while the number is odd or changes. Without the fences (--cfg no_fence), a reader
// may see one number of a write and not the other.
use std::sync::atomic::{fence, AtomicI32, AtomicU32, Ordering::*};
use std::thread;

static SEQUENCE: AtomicU32 = AtomicU32::new(0);
static A: AtomicI32 = AtomicI32::new(0);
static B: AtomicI32 = AtomicI32::new(0);

fn main() {
    let writer = thread::spawn(|| {
        SEQUENCE.store(1, Relaxed);
        if !cfg!(no_fence) {
            fence(Release);
        }
        A.store(1, Relaxed);
        B.store(1, Relaxed);
        SEQUENCE.store(2, Release);
    });
    let before = SEQUENCE.load(Acquire);
    let (a, b) = (A.load(Relaxed), B.load(Relaxed));
    if !cfg!(no_fence) {
        fence(Acquire);
    }
    if before % 2 == 0 && SEQUENCE.load(Relaxed) == before {
        assert_eq!(a, b);
    }
    writer.join().unwrap();
}
