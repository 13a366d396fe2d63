// Two threads each write one atomic variable and read the other. Relaxed and acquire/release accesses let both reads
// miss the writes; sequentially consistent accesses do not (--cfg seq_cst).
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;
use std::thread;

#[cfg(seq_cst)]
const STORE: Ordering = Ordering::SeqCst;
#[cfg(seq_cst)]
const LOAD: Ordering = Ordering::SeqCst;
#[cfg(not(seq_cst))]
const STORE: Ordering = Ordering::Release;
#[cfg(not(seq_cst))]
const LOAD: Ordering = Ordering::Acquire;

struct Shared {
    x: AtomicI32,
    y: AtomicI32,
}

fn main() {
    let shared = Arc::new(Shared { x: AtomicI32::new(0), y: AtomicI32::new(0) });
    let theirs = Arc::clone(&shared);
    let left = thread::spawn(move || {
        theirs.x.store(1, STORE);
        theirs.y.load(LOAD)
    });
    shared.y.store(1, STORE);
    let a = shared.x.load(LOAD);
    let b = left.join().unwrap();
    assert!(a == 1 || b == 1);
}
