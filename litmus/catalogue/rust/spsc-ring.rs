// A ring of two places with one producer and one consumer.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

struct Ring {
    places: [UnsafeCell<i32>; 2],
    head: AtomicUsize,
    tail: AtomicUsize,
}
unsafe impl Sync for Ring {}

static RING: Ring = Ring {
    places: [UnsafeCell::new(0), UnsafeCell::new(0)],
    head: AtomicUsize::new(0),
    tail: AtomicUsize::new(0),
};

const PUBLISH: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };

fn push(value: i32) -> bool {
    let tail = RING.tail.load(Ordering::Relaxed);
    if tail - RING.head.load(Ordering::Acquire) == 2 {
        return false;
    }
    unsafe { *RING.places[tail % 2].get() = value };
    RING.tail.store(tail + 1, PUBLISH);
    true
}

fn pop() -> Option<i32> {
    let head = RING.head.load(Ordering::Relaxed);
    if RING.tail.load(Ordering::Acquire) == head {
        return None;
    }
    let value = unsafe { *RING.places[head % 2].get() };
    RING.head.store(head + 1, Ordering::Release);
    Some(value)
}

fn main() {
    let producer = thread::spawn(|| {
        assert!(push(1));
        assert!(push(2));
    });
    if let Some(first) = pop() {
        assert_eq!(first, 1);
        if let Some(second) = pop() {
            assert_eq!(second, 2);
        }
    }
    producer.join().unwrap();
}
