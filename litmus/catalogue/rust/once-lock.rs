// Two threads initialise one OnceLock with different values. Both get the same one.
use std::sync::OnceLock;
use std::thread;

static CHOICE: OnceLock<i32> = OnceLock::new();

fn main() {
    let t = thread::spawn(|| *CHOICE.get_or_init(|| 1));
    let mine = *CHOICE.get_or_init(|| 2);
    assert_eq!(t.join().unwrap(), mine);
}
