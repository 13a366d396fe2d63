// A consumer waits on a condition variable until a producer has pushed. If the consumer tests once (--cfg once), it may
// wake without a notification and find nothing. If the producer does not notify (--cfg silent), the consumer waits
// forever.
use std::sync::{Condvar, Mutex};
use std::thread;

static QUEUE: Mutex<Option<i32>> = Mutex::new(None);
static PUSHED: Condvar = Condvar::new();

fn main() {
    let producer = thread::spawn(|| {
        *QUEUE.lock().unwrap() = Some(7);
        if !cfg!(silent) {
            PUSHED.notify_one();
        }
    });
    let mut queue = QUEUE.lock().unwrap();
    while queue.is_none() {
        queue = PUSHED.wait(queue).unwrap();
        if cfg!(once) {
            break;
        }
    }
    assert_eq!(*queue, Some(7));
    drop(queue);
    producer.join().unwrap();
}
