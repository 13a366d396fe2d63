// Each thread has its own counter, whose destructor adds it to a total when the thread ends.
use std::cell::Cell;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
use std::thread;

static TOTAL: AtomicI32 = AtomicI32::new(0);

struct Counter(Cell<i32>);
impl Drop for Counter {
    fn drop(&mut self) {
        TOTAL.fetch_add(self.0.get(), Relaxed);
    }
}

thread_local! {
    static COUNTER: Counter = const { Counter(Cell::new(0)) };
}

fn main() {
    let t = thread::spawn(|| COUNTER.with(|c| c.0.set(c.0.get() + 2)));
    COUNTER.with(|c| c.0.set(5));
    t.join().unwrap();
    assert_eq!(TOTAL.load(Relaxed), 2);
}
