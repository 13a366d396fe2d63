// Double-checked locking: a pointer is read without the lock first. A relaxed read (--cfg relaxed) sees the pointer
// without what it points to.
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::Mutex;
use std::thread;

static OBJECT: AtomicPtr<i32> = AtomicPtr::new(ptr::null_mut());
static LOCK: Mutex<()> = Mutex::new(());

const READ: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Acquire };

fn get() -> i32 {
    let mut p = OBJECT.load(READ);
    if p.is_null() {
        let _guard = LOCK.lock().unwrap();
        p = OBJECT.load(Ordering::Relaxed);
        if p.is_null() {
            p = Box::into_raw(Box::new(42));
            OBJECT.store(p, Ordering::Release);
        }
    }
    unsafe { *p }
}

fn main() {
    let t = thread::spawn(get);
    assert_eq!(get(), 42);
    assert_eq!(t.join().unwrap(), 42);
}
