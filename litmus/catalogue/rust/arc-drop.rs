// A reference count like Arc's: the thread that takes it to zero frees the object. The decrement must release, and
// an acquire fence must come before the object is freed. Without the fence (--cfg no_fence), or with a relaxed
// decrement (--cfg relaxed), freeing races with the other thread's last access.
use std::sync::atomic::{fence, AtomicUsize, Ordering};
use std::thread;

struct Inner {
    count: AtomicUsize,
    data: [std::cell::UnsafeCell<i32>; 2],
}

struct Counted(*mut Inner);
unsafe impl Send for Counted {}

const DECREMENT: Ordering = if cfg!(relaxed) { Ordering::Relaxed } else { Ordering::Release };

impl Counted {
    fn set(&self, part: usize) {
        unsafe { *(&(*self.0).data)[part].get() = 1 };
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if unsafe { (*self.0).count.fetch_sub(1, DECREMENT) } == 1 {
            if !cfg!(no_fence) {
                fence(Ordering::Acquire);
            }
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

fn main() {
    let inner = Box::into_raw(Box::new(Inner { count: AtomicUsize::new(2), data: Default::default() }));
    let mine = Counted(inner);
    let theirs = Counted(inner);
    let t = thread::spawn(move || {
        let theirs = theirs;
        theirs.set(0)
    });
    mine.set(1);
    drop(mine);
    t.join().unwrap();
}
