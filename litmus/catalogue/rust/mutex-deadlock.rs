// Two threads lock two mutexes in opposite orders: both may wait forever. With --cfg fixed, the order is the same.
use std::sync::Mutex;
use std::thread;

static A: Mutex<i32> = Mutex::new(0);
static B: Mutex<i32> = Mutex::new(0);

fn main() {
    let t = thread::spawn(|| {
        let a = A.lock().unwrap();
        let _b = B.lock().unwrap();
        drop(a);
    });
    if cfg!(fixed) {
        let _a = A.lock().unwrap();
        let _b = B.lock().unwrap();
    } else {
        let _b = B.lock().unwrap();
        let _a = A.lock().unwrap();
    }
    t.join().unwrap();
}
