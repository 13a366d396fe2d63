//go:build unix

package suite

import (
	"errors"
	"slices"
	"syscall"
)

// regularFile reads a regular file, up to one byte more than the limit, into a shared buffer. It needs four system
// calls for a small test; package os needs a dozen, because it also prepares for files that block.
func (w *walker) regularFile(name string) ([]byte, error) {
	file, err := retryInterrupted(func() (int, error) {
		return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Close(file) }()
	for text := w.buffer[:0]; ; {
		if len(text) == cap(text) {
			text = slices.Grow(text, 16<<10)
			w.buffer = text
		}
		n, err := retryInterrupted(func() (int, error) { return syscall.Read(file, text[len(text):cap(text)]) })
		if err != nil {
			return nil, err
		}
		text = text[:len(text)+n]
		if n == 0 || len(text) > MaxTest {
			return text, nil
		}
	}
}

// retryInterrupted repeats a system call while signals interrupt it.
func retryInterrupted(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
