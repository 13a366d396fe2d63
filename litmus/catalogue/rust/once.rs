// Two threads call one Once: the closure runs once, and both see what it wrote.
use std::cell::UnsafeCell;
use std::sync::Once;
use std::thread;

struct Cell(UnsafeCell<i32>);
unsafe impl Sync for Cell {}

static INIT: Once = Once::new();
static VALUE: Cell = Cell(UnsafeCell::new(0));

fn get() -> i32 {
    INIT.call_once(|| unsafe { *VALUE.0.get() += 1 });
    unsafe { *VALUE.0.get() }
}

fn main() {
    let t = thread::spawn(get);
    assert_eq!(get(), 1);
    assert_eq!(t.join().unwrap(), 1);
}
