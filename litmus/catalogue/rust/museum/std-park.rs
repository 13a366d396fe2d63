// A thread waits for two others, each of which unparks it. The wake-ups become one, and what the second thread has written
// is lost.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

const EMPTY: usize = 0;
const PARKED: usize = 1;
const NOTIFIED: usize = 2;

static STATE: AtomicUsize = AtomicUsize::new(EMPTY);
static DONE: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];

// park reports whether it takes a token. Otherwise the thread sleeps until another thread changes PARKED.
fn park() -> bool {
    if STATE.compare_exchange(EMPTY, PARKED, SeqCst, SeqCst).is_ok() {
        return false;
    }
    #[cfg(fixed)]
    STATE.swap(EMPTY, SeqCst);
    #[cfg(not(fixed))]
    STATE.store(EMPTY, SeqCst);
    true
}

fn finish(me: usize) {
    DONE[me].store(true, Relaxed);
    STATE.swap(NOTIFIED, SeqCst);
}

fn main() {
    let a = thread::spawn(|| finish(0));
    let b = thread::spawn(|| finish(1));
    let waiter = thread::spawn(|| !park() || (DONE[0].load(Relaxed) && DONE[1].load(Relaxed)));
    a.join().unwrap();
    b.join().unwrap();
    let knows_both = waiter.join().unwrap();
    // otherwise the waiter parks again, and must find a token
    assert!(knows_both || STATE.load(Relaxed) == NOTIFIED);
}
