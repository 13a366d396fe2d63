//go:build !unix

package suite

import (
	"io"
	"os"
)

// regularFile reads a regular file, up to one byte more than the limit.
func (w *walker) regularFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxTest+1))
}
