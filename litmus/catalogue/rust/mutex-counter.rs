// Two threads increment a counter in a Mutex. Without the lock (--cfg split), the read and the write are two critical
// sections, and an increment is lost.
use std::sync::{Arc, Mutex};
use std::thread;

fn increment(counter: &Mutex<i32>) {
    if cfg!(split) {
        let n = *counter.lock().unwrap();
        *counter.lock().unwrap() = n + 1;
    } else {
        *counter.lock().unwrap() += 1;
    }
}

fn main() {
    let counter = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&counter);
    let t = thread::spawn(move || increment(&theirs));
    increment(&counter);
    t.join().unwrap();
    assert_eq!(*counter.lock().unwrap(), 2);
}
