// A channel with room for one number: the receiver gets the number that the sender sent.
use std::sync::mpsc;
use std::thread;

fn main() {
    let (sender, receiver) = mpsc::sync_channel(1);
    let t = thread::spawn(move || sender.send(5).unwrap());
    assert_eq!(receiver.recv().unwrap(), 5);
    t.join().unwrap();
}
