//go:build unix

package suite

import (
	"errors"
	"slices"
	"syscall"
)

// regularFile reads a file that never blocks, up to what is too much of it, into a buffer that the next one is read
// into: a small test by four system calls, where package os makes a dozen to find out how to wait for it.
func (w *walker) regularFile(name string) ([]byte, error) {
	file, err := again(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Close(file) }()
	for text := w.buffer[:0]; ; {
		if len(text) == cap(text) {
			text = slices.Grow(text, 16<<10)
			w.buffer = text
		}
		n, err := again(func() (int, error) { return syscall.Read(file, text[len(text):cap(text)]) })
		if err != nil {
			return nil, err
		}
		text = text[:len(text)+n]
		if n == 0 || len(text) > MaxTest {
			return text, nil
		}
	}
}

// again makes a system call until no signal has interrupted it.
func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
