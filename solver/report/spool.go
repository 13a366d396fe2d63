package report

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spool keeps text that must follow something known only at the end. Beyond a megabyte it does so in a temporary file.
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
		// Where the system can remove an open file, nothing stays behind.
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

// copyTo writes all kept text, and drops it.
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
