// A static that the first use initialises, in whichever thread that is.
use std::sync::LazyLock;
use std::thread;

static ANSWER: LazyLock<i32> = LazyLock::new(|| 42);

fn main() {
    let t = thread::spawn(|| *ANSWER);
    assert_eq!(*ANSWER, 42);
    assert_eq!(t.join().unwrap(), 42);
}
