// A guest puts a request into a ring and rings the doorbell if asked to. The host asks for it and goes to sleep.
use std::sync::atomic::{self, AtomicBool, AtomicUsize, Ordering::*};
use std::thread;

static REAR: AtomicUsize = AtomicUsize::new(0);
static WANTED: AtomicBool = AtomicBool::new(false);

fn main() {
    let guest = thread::spawn(|| {
        REAR.store(1, Relaxed);
        #[cfg(fixed)]
        atomic::fence(SeqCst);
        WANTED.load(Relaxed) // then it rings
    });
    let host = thread::spawn(|| {
        WANTED.store(true, Relaxed);
        #[cfg(fixed)]
        atomic::fence(SeqCst);
        REAR.load(Relaxed) == 0 // then it sleeps until the doorbell rings
    });
    let rings = guest.join().unwrap();
    let sleeps = host.join().unwrap();
    assert!(rings || !sleeps);
}
