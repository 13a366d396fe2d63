// A task that is already notified is woken again. The second waker leaves the state as it is, and the task does not see
// what that waker has written.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

const NOTIFIED: usize = 1;
const RUNNING: usize = 2;

static STATE: AtomicUsize = AtomicUsize::new(NOTIFIED); // another waker was here before
static READY: AtomicBool = AtomicBool::new(false);

fn wake_by_ref() {
    let mut state = STATE.load(Acquire);
    loop {
        #[cfg(not(fixed))]
        if state & NOTIFIED != 0 { return } // somebody runs the task anyway
        match STATE.compare_exchange(state, state | NOTIFIED, AcqRel, Acquire) {
            Ok(_) => return,
            Err(now) => state = now,
        }
    }
}

// poll runs the task, and reports whether it was ready.
fn poll() -> bool {
    STATE.fetch_xor(NOTIFIED | RUNNING, AcqRel);
    let ready = READY.load(Relaxed);
    STATE.fetch_and(!RUNNING, AcqRel);
    ready
}

fn main() {
    let waker = thread::spawn(|| {
        READY.store(true, Relaxed);
        wake_by_ref();
    });
    let worker = thread::spawn(poll);
    waker.join().unwrap();
    let ready = worker.join().unwrap();
    assert!(ready || STATE.load(Relaxed) == NOTIFIED); // otherwise nobody runs the task again
}
