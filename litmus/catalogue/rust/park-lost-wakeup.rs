// The thread that sets the flag looks first whether anybody sleeps, and unparks only then. The sleeper announces itself
// after its last look at the flag, so that the wake-up is lost: it parks forever. With --cfg fixed, the sleeper looks
// again after the announcement.
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

static READY: AtomicBool = AtomicBool::new(false);
static SLEEPS: AtomicBool = AtomicBool::new(false);

fn main() {
    let sleeper = thread::spawn(|| {
        if cfg!(fixed) {
            SLEEPS.store(true, SeqCst);
            if !READY.load(SeqCst) {
                thread::park();
            }
        } else if !READY.load(SeqCst) {
            SLEEPS.store(true, SeqCst);
            thread::park();
        }
    });
    READY.store(true, SeqCst);
    if SLEEPS.load(SeqCst) {
        sleeper.thread().unpark();
    }
    sleeper.join().unwrap();
}
