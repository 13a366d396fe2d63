package prefault

import "syscall"

var pageSize = uintptr(syscall.Getpagesize())

// populateWrite is MADV_POPULATE_WRITE, of Linux 5.14.
const populateWrite = 23

// populate says whether all of it is backed.
func populate(from, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MADVISE, from, size, populateWrite)
	return failed == 0
}
