// A thread parks until a flag is set. The thread that sets the flag unparks it afterwards.
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);

fn main() {
    let sleeper = thread::spawn(|| {
        while !READY.load(Ordering::Acquire) {
            thread::park();
        }
    });
    READY.store(true, Ordering::Release);
    sleeper.thread().unpark();
    sleeper.join().unwrap();
}
