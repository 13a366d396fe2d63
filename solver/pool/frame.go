package pool

import (
	"encoding/binary"
	"fmt"
	"io"
)

// What parent and child say to each other goes in frames: a byte that says what it is,
// the length of what follows in four, and that.
const (
	frameWork    = 'w' // to the child: a header as JSON, a line feed, the question as JSON
	framePartial = 'p' // a partial result: an answer
	frameStates  = 's' // some of a Result's states and outcomes; the others follow
	frameAnswer  = 'a' // the end: the answer, or the rest of a Result
	frameFailed  = 'f' // the end: the work's own error
	frameLarge   = 'l' // the end: the answer is larger than it may be
	frameMemory  = 'm' // the end, and the child's: it is over its memory limit
	frameCrash   = 'c' // the end, and the child's: what a panic said, and the stack
)

type frame struct {
	kind byte
	body []byte
}

func writeFrame(w io.Writer, f frame) error {
	head := make([]byte, 5, 5+len(f.body))
	head[0] = f.kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(f.body)))
	_, err := w.Write(append(head, f.body...))
	return err
}

// errTooLong is readFrame's for a frame longer than it may be.
var errTooLong = fmt.Errorf("a frame exceeds the size limit")

// readFrame reads a frame for which there is room, as may says of its kind and length.
func readFrame(r io.Reader, may func(kind byte, length int64) bool) (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return frame{}, err
	}
	f := frame{kind: head[0]}
	length := int64(binary.BigEndian.Uint32(head[1:]))
	if !may(f.kind, length) {
		return f, errTooLong
	}
	f.body = make([]byte, length)
	_, err := io.ReadFull(r, f.body)
	return f, err
}
