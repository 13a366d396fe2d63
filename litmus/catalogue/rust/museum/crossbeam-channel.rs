// The last receiver of a channel goes while a sender adds the first block of messages. The block is freed twice: once by
// the receiver, which has not taken it out, and once by the channel.
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::*};
use std::thread;

struct Block {
    message: i32,
}

static BLOCK: AtomicPtr<Block> = AtomicPtr::new(null_mut());
static TAIL: AtomicUsize = AtomicUsize::new(0);

fn send() {
    let block = Box::into_raw(Box::new(Block { message: 1 }));
    TAIL.store(1, Release); // the sender has its slot before the block is there
    BLOCK.store(block, Release);
}

fn discard_all_messages() {
    let mut block = BLOCK.swap(null_mut(), AcqRel);
    if block.is_null() && TAIL.load(Acquire) != 0 {
        // a sender is about to add the block
        #[cfg(fixed)]
        let next = BLOCK.swap(null_mut(), AcqRel);
        #[cfg(not(fixed))]
        let next = BLOCK.load(Acquire);
        block = next;
    }
    if !block.is_null() {
        assert_eq!(unsafe { Box::from_raw(block) }.message, 1);
    }
}

fn main() {
    let sender = thread::spawn(send);
    let receiver = thread::spawn(discard_all_messages);
    sender.join().unwrap();
    receiver.join().unwrap();
    // the channel is dropped
    let block = BLOCK.load(Relaxed);
    if !block.is_null() {
        drop(unsafe { Box::from_raw(block) });
    }
}
