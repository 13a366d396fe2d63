package report

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spool keeps what has to come after something that is known only in the end. Beyond a
// megabyte it does so in a temporary file.
type spool struct {
	start bytes.Buffer
	file  *os.File
}

const spoolMemory = 1 << 20

// Write keeps up to spoolMemory bytes in memory and the rest in a temporary file.
func (s *spool) Write(p []byte) (int, error) {
	if s.start.Len()+len(p) > spoolMemory && s.file == nil {
		f, err := os.CreateTemp("", "litmuscope-*")
		if err != nil {
			return 0, err
		}
		s.file = f
		// Where files can go while they are open, nothing is left behind whatever happens.
		_ = os.Remove(f.Name())
	}
	if s.start.Len()+len(p) > spoolMemory {
		if err := s.flush(); err != nil {
			return 0, err
		}
	}
	return s.start.Write(p)
}

func (s *spool) flush() error {
	_, err := s.file.Write(s.start.Bytes())
	s.start.Reset()
	return err
}

// copyTo writes all that was kept, and forgets it.
func (s *spool) copyTo(w io.Writer) error {
	var err error
	if s.file != nil {
		if _, err = s.file.Seek(0, io.SeekStart); err == nil {
			_, err = io.Copy(w, s.file)
		}
		err = errors.Join(err, s.file.Close())
		_ = os.Remove(s.file.Name())
		s.file = nil
	}
	if err == nil {
		_, err = w.Write(s.start.Bytes())
	}
	s.start.Reset()
	return err
}
