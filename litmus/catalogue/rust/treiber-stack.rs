// Two threads push on a Treiber stack. With a relaxed push (--cfg relaxed), a pop may see a node without its contents.
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::thread;

struct Node {
    value: i32,
    next: *mut Node,
}

static HEAD: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

const PUSH: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };

fn push(value: i32) {
    let node = Box::into_raw(Box::new(Node { value, next: ptr::null_mut() }));
    let mut head = HEAD.load(Ordering::Relaxed);
    loop {
        unsafe { (*node).next = head };
        match HEAD.compare_exchange_weak(head, node, PUSH, Ordering::Relaxed) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}

fn top() -> Option<i32> {
    let head = HEAD.load(Ordering::Acquire);
    if head.is_null() { None } else { Some(unsafe { (*head).value }) }
}

fn main() {
    let t = thread::spawn(|| push(1));
    push(2);
    let seen = top().unwrap();
    assert!(seen == 1 || seen == 2);
    t.join().unwrap();
}
