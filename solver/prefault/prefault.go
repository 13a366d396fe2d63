// Package prefault has the kernel back memory that the heap is about to grow into, many pages at once. By itself it backs a page
// when the page is first touched, one at a time, which costs a small command more than all that it computes where page faults are
// dear, as they are on virtual machines (18 µs for each of 4 KiB on one, against 1.2 µs for each of a thousand asked for at once).
//
// It imports nothing but what makes a system call, so that it is initialised before all that fills tables when the program
// starts: packages are, in the order of their paths, once what they import is.
package prefault

import (
	"sync/atomic"
	"unsafe"
)

// chunk is what the heap grows by, and is aligned to, in bytes.
const chunk = 4 << 20

// early is less, in bytes, than is taken before main. What is passed over in its stead is not so much that garbage would be
// collected.
const early = 768 << 10

// backed is where the memory ends that has been backed.
var backed atomic.Uintptr

var _ = begin()

// begin backs what there is of the heap when the program starts. The runtime puts it somewhere in its first chunk, at random: where
// that leaves little, it passes over the rest, so that the heap grows into the next chunk now. The stack that tables are filled
// on is made as large as it will be, for patterns that others compile take hundreds of frames, which would be moved each time that
// it doubles.
func begin() struct{} {
	from := addressOf(make([]byte, 1<<10))
	if rest := chunk - from%chunk; rest < early {
		from = addressOf(make([]byte, rest)) + rest
	}
	deepen(0)
	backed.Store(from &^ (pageSize - 1))
	Ahead()
	return struct{}{}
}

// deepen has a frame of some 250 KiB, which there has to be stack for, and touches none of it.
//
//go:noinline
func deepen(n int) byte {
	if n == 0 {
		return 0
	}
	var a, b [125 << 10]byte
	for i := range n {
		a[i], b[n-i] = b[i], a[n-i]
	}
	return a[n] + b[n]
}

// somewhere keeps what is asked for an address from being put on the stack.
var somewhere []byte

func addressOf(b []byte) uintptr {
	somewhere = b
	at := uintptr(unsafe.Pointer(unsafe.SliceData(somewhere)))
	somewhere = nil
	return at
}

// refused are the calls since the heap was last found to have grown, and idle those that are let pass on that account: it may not grow
// any more.
var refused, idle atomic.Int32

// Ahead is called now and then by what takes memory, a test at a time, say: it backs what the heap has grown by.
// The kernel refuses what it has not grown to yet.
func Ahead() {
	if idle.Add(-1) >= 0 {
		return
	}
	from := backed.Load()
	if end := from - from%chunk + chunk; populate(from, end-from) {
		backed.CompareAndSwap(from, end)
		refused.Store(0)
	} else {
		idle.Store(min(refused.Add(1)/8, 64))
	}
}
