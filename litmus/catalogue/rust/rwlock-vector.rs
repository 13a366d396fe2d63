// A vector behind an Arc and a RwLock: the reader sees all of a push or nothing of it.
use std::sync::{Arc, RwLock};
use std::thread;
fn main() {
    let v = Arc::new(RwLock::new(vec![1, 2]));
    let w = Arc::clone(&v);
    let t = thread::spawn(move || w.write().unwrap().push(3));
    let sum: i32 = v.read().unwrap().iter().sum();
    assert!(sum == 3 || sum == 6);
    t.join().unwrap();
    assert_eq!(v.read().unwrap().len(), 3);
}
