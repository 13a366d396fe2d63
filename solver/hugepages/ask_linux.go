package hugepages

import "syscall"

// ask says whether the kernel has taken it.
func ask(from, size uintptr) bool {
	_, _, failed := syscall.RawSyscall(syscall.SYS_MADVISE, from, size, syscall.MADV_HUGEPAGE)
	return failed == 0
}
