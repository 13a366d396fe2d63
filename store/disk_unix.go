//go:build linux || darwin

package store

import "syscall"

// freeOf is how many bytes a folder's disk has left for this process.
func freeOf(folder string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
