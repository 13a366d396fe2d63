package pool

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
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

	// about a [Memory], with a number of bytes as text:
	frameClaim   = 'q' // may the child have so much? The parent answers with one of the next two.
	frameGranted = 'y' // to the child: it may
	frameRefused = 'n' // to the child: it may not
	frameNeeds   = 'd' // the end: the work needs so much, which it may not have
	frameGrown   = 'g' // the child has so much, which is more than it claimed
)

// withBytes is a frame about a number of bytes, and bytesIn that number.
func withBytes(kind byte, n int64) frame { return frame{kind, strconv.AppendInt(nil, n, 10)} }

func bytesIn(f frame) int64 {
	n, err := strconv.ParseInt(string(f.body), 10, 64)
	if err != nil {
		panic("BUG: a frame about memory without a number: " + err.Error())
	}
	return n
}

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
