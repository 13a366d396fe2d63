// Two threads add to a total by fetch_update and raise a maximum by a loop of weak compare-exchanges. With --cfg split, the
// total is read and written apart, and an addition may be lost.
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::*};
use std::thread;
static TOTAL: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static DONE: AtomicBool = AtomicBool::new(false);
fn add(n: usize) {
    if cfg!(split) {
        TOTAL.store(TOTAL.load(Acquire) + n as u64, Release);
    } else {
        TOTAL.fetch_update(AcqRel, Acquire, |x| Some(x + n as u64)).unwrap();
    }
    let mut seen = PEAK.load(Relaxed);
    while seen < n {
        match PEAK.compare_exchange_weak(seen, n, Relaxed, Relaxed) {
            Ok(_) => break,
            Err(now) => seen = now,
        }
    }
}
fn main() {
    thread::scope(|s| {
        s.spawn(|| {
            add(3);
            DONE.store(true, Release);
        });
        add(5);
    });
    assert!(DONE.load(Acquire));
    assert_eq!(TOTAL.load(Relaxed), 8);
    assert_eq!(PEAK.load(Relaxed), 5);
}
