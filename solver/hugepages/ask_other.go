//go:build !linux

package hugepages

func ask(from, size uintptr) bool { return false }
