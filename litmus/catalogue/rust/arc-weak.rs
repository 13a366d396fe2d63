// A Weak reference gives an Arc while the object lives: a thread that upgrades it sees the value, or nothing.
use std::sync::Arc;
use std::thread;

fn main() {
    let strong = Arc::new(7);
    let weak = Arc::downgrade(&strong);
    let t = thread::spawn(move || {
        if let Some(value) = weak.upgrade() {
            assert_eq!(*value, 7);
        }
    });
    drop(strong);
    t.join().unwrap();
}
