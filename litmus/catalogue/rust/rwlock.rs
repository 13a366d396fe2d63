// A writer changes two numbers under the write lock; a reader sees both or none.
use std::sync::RwLock;
use std::thread;

static PAIR: RwLock<(i32, i32)> = RwLock::new((0, 0));

fn main() {
    let writer = thread::spawn(|| {
        let mut pair = PAIR.write().unwrap();
        pair.0 = 1;
        pair.1 = 1;
    });
    let pair = PAIR.read().unwrap();
    assert_eq!(pair.0, pair.1);
    drop(pair);
    writer.join().unwrap();
}
