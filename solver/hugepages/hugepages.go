// Package hugepages has the kernel back the first of the heap by huge pages. By itself it backs 4 KiB at a time, when they are first
// touched: four megabytes are a thousand page faults, more than half of what a small command takes on a virtual machine.
//
// It imports nothing but what makes a system call, so that it is initialised before all that fills tables when the program
// starts: packages are, in the order of their paths, once what they import is.
package hugepages

import "unsafe"

// chunk is what the heap grows by, and is aligned to, in bytes.
const chunk = 4 << 20

// page is what a huge page takes, in bytes. Where a small one has been touched there will be no huge one.
const page = 2 << 20

var _ = begin()

// begin asks for the chunk that the heap begins in. The runtime puts it somewhere in there, at random: what is left of the page is passed
// over, untouched.
func begin() struct{} {
	first := here()
	somewhere = make([]byte, (page-first%page)&^(64<<10-1))
	for here()/page == first/page {
	}
	Ask()
	return struct{}{}
}

// Ask asks for the chunk that the heap has grown into. What the kernel refuses stays as it is.
func Ask() {
	ask(here()&^(chunk-1), chunk)
}

// Reserve asks for the chunks that so many bytes ahead of the heap are in. They are one piece of garbage, which takes no memory for it is
// not touched, until garbage is collected; what is allocated then is put there.
func Reserve(size uintptr) {
	somewhere = make([]byte, size)
	from := uintptr(unsafe.Pointer(unsafe.SliceData(somewhere)))
	somewhere = nil
	first := from &^ (chunk - 1)
	ask(first, (from+size-first+chunk-1)&^(chunk-1))
}

// somewhere keeps what is asked for an address from being put on the stack.
var somewhere []byte

// here is where something too large for what is in use already is put.
func here() uintptr {
	somewhere = make([]byte, 32<<10+1)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(somewhere)))
	somewhere = nil
	return at
}
