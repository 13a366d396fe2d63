package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
)

// Step is a step of a proof.
type Step struct {
	Delete bool    // take the clause away, instead of adding it as a lemma
	Lits   []int32 // valid until the next step
}

// ReadText reads a proof in DRAT's text format: a clause a line, each closed by 0, with
// "d" in front of those to delete.
func ReadText(r io.Reader) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		words := bufio.NewScanner(r)
		words.Split(bufio.ScanWords)
		var s Step
		begun, number := false, 1
		for words.Scan() {
			word := words.Text()
			if word == "d" && !begun {
				s.Delete, begun = true, true
				continue
			}
			n, err := strconv.ParseInt(word, 10, 32)
			if err != nil || n == math.MinInt32 {
				yield(Step{}, fmt.Errorf("step %d: got %q, want a literal, 0 or d", number, clip(word)))
				return
			}
			if n != 0 {
				s.Lits, begun = append(s.Lits, int32(n)), true
				continue
			}
			if !yield(s, nil) {
				return
			}
			s, begun = Step{Lits: s.Lits[:0]}, false
			number++
		}
		if err := words.Err(); err != nil {
			yield(Step{}, fmt.Errorf("step %d: %w", number, err))
		} else if begun {
			yield(Step{}, fmt.Errorf("step %d: the proof ends within a clause", number))
		}
	}
}

func clip(word string) string {
	if len(word) > 20 {
		word = word[:20] + "…"
	}
	return strings.ToValidUTF8(word, "?")
}

// ReadBinary reads a proof in DRAT's binary format: "a" or "d", then numbers of seven
// bits a byte, lowest first, a literal being twice its variable, plus one if negated; 0
// closes the step.
func ReadBinary(r io.Reader) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		var s Step
		for number := 1; ; number++ {
			kind, err := in.ReadByte()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Step{}, err)
				return
			case kind != 'a' && kind != 'd':
				yield(Step{}, fmt.Errorf("step %d: got byte %#x, want a or d", number, kind))
				return
			}
			s = Step{Delete: kind == 'd', Lits: s.Lits[:0]}
			for {
				l, err := literal(in)
				if err != nil {
					yield(Step{}, fmt.Errorf("step %d: %w", number, err))
					return
				}
				if l == 0 {
					break
				}
				s.Lits = append(s.Lits, l)
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}

// literal reads one of ReadBinary's numbers.
func literal(in io.ByteReader) (int32, error) {
	var n uint64
	for shift := 0; ; shift += 7 {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return 0, io.ErrUnexpectedEOF
		} else if err != nil {
			return 0, err
		}
		n |= uint64(b&0x7f) << shift
		if n > math.MaxUint32 || shift > 28 {
			return 0, errors.New("a literal is out of range")
		}
		if b < 0x80 {
			break
		}
	}
	v := int32(n >> 1)
	switch {
	case n == 1:
		return 0, errors.New("got the negation of variable 0")
	case n&1 == 1:
		return -v, nil
	}
	return v, nil
}
