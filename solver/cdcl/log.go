package cdcl

import (
	"encoding/binary"
	"iter"
)

// log is a proof in the order of the search: learnt clauses and deleted ones, as variable-length numbers, which take
// a fraction of the space of text.
type log struct{ bytes []byte }

func (l *log) add(clause []lit) {
	if l != nil {
		write(l, 2*len(clause), clause)
	}
}

func (l *log) delete(clause []uint32) { write(l, 2*len(clause)+1, clause) }

func write[L lit | uint32](l *log, head int, clause []L) {
	l.bytes = binary.AppendUvarint(l.bytes, uint64(head))
	for _, x := range clause {
		l.bytes = binary.AppendUvarint(l.bytes, uint64(x))
	}
}

// Proof returns the steps of the proof: clauses as DIMACS writes them, with true for a deletion. Each added clause
// follows by unit propagation from those before it (RUP), or has the negated literals of edges that would form a cycle.
// The slice is valid until the next step. bytes is the size of the log.
func (s *Solver) Proof() (steps iter.Seq2[[]int32, bool], bytes int64) {
	return func(yield func([]int32, bool) bool) {
		if s.log == nil {
			return
		}
		var clause []int32
		for rest := s.log.bytes; len(rest) > 0; {
			number := func() uint64 {
				n, size := binary.Uvarint(rest)
				rest = rest[size:]
				return n
			}
			head := number()
			clause = clause[:0]
			for range head / 2 {
				clause = append(clause, lit(number()).number())
			}
			if !yield(clause, head%2 == 1) {
				return
			}
		}
	}, int64(len(s.log.bytes))
}
