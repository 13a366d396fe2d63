// Package hugepages asks the Linux kernel to back the heap by huge pages. By itself, the kernel backs 4 KiB at a time
// when they are first touched: four megabytes take a thousand page faults, more than half of the time of a small
// command on a virtual machine. [Ask] does so for the first of the heap and [Follow] as the heap grows; elsewhere than
// on Linux they do nothing.
//
// It imports only what makes a system call, so that Go initialises it before the packages that fill tables at the
// start: Go initialises packages in the order of their paths, after their imports.
package hugepages

import (
	"sync"
	"unsafe"
)

// chunk is the unit by which the heap grows, and its alignment, in bytes.
const chunk = 4 << 20

// page is what a huge page takes, in bytes. After a program has touched a small page, no huge one replaces it.
const page = 2 << 20

var _ = begin()

// begin asks for the chunk that the heap begins in. The runtime puts it somewhere in there, at random: the runtime
// skips the rest of the page, untouched.
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

// ahead is how much less than a chunk remains of it at the request for the next, in bytes: the most that a small test
// takes, so that the request for nearly all of a chunk comes before its first use.
const ahead = 512 << 10

// followed is where the last chunk begins that Follow has left.
var (
	following sync.Mutex
	followed  uintptr
)

// Follow asks for the chunk that the heap grows into next when the last is nearly full, for a process that does many
// small things: call it after each. The runtime skips the rest of the last, untouched, until a collection.
func Follow() {
	following.Lock()
	defer following.Unlock()
	at := here()
	if at&^(chunk-1) <= followed || chunk-at%chunk > ahead {
		return
	}
	followed = at &^ (chunk - 1)
	somewhere = make([]byte, (chunk-at%chunk)&^(64<<10-1))
	for range chunk / least {
		if here()&^(chunk-1) > followed {
			Ask()
			break
		}
	}
	somewhere = nil
}

// least is what is too large for what is in use already, in bytes.
const least = 32<<10 + 1

// somewhere forces a variable onto the heap, so that it has an address there.
var somewhere []byte

// here returns the address of a new allocation of at least least bytes.
func here() uintptr {
	somewhere = make([]byte, least)
	at := uintptr(unsafe.Pointer(unsafe.SliceData(somewhere)))
	somewhere = nil
	return at
}
