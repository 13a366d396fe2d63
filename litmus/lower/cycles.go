package lower

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// Cycles is what a dialect gives to cycles of relaxations: the words that it has beside those
// that all have, and how a test of a cycle is written in it.
type Cycles struct {
	Fences    []Word
	Deps      []Word // beside Addr, Data and Ctrl
	Atomics   []Word
	Bare      bool   // there are no dependencies
	Anywhere  bool   // an instruction has its Code anywhere, not at its beginning
	Exchange  string // the one of Atomics that is also written Rmw
	Marks     []Mark
	Sized     bool   // accesses can be to bytes, halves, words and doublewords: see Place
	BigEndian bool   // then: the first byte is the highest
	Plain     string // for an end without a mark, where the other has one; P where it is ""
	// Standard is a list of relaxations that a family of cycles may be made of: communications
	// between threads, program order, what keeps it, and what reads ahead of a write of its own
	// thread. Presets are shorter ones.
	Standard string
	// Finer is what tells models apart beside it: coherence, atomic instructions, reading of one's own
	// writes, and ways that go on in program order behind a dependency.
	Finer   string
	Presets []Preset
	// Silent tells an atomic instruction whose read is there for its write's sake alone, nil where
	// none is; Retries, that a branch behind a pair is one on whether it has stored.
	Silent    func(instruction string) bool
	Retries   bool
	Assembler *Assembler // nil for C, which is no list of instructions
	Language  *Language  // C's alone
}

// Preset is a list of relaxations that has a name.
type Preset struct{ Name, List string }

// Word is a fence, a dependency or an atomic instruction that cycles have a word for.
type Word struct {
	Name, Text string
	// Code is the instruction of a fence, and of the fence behind a dependency's branch; of an
	// atomic, what its instructions begin with, or "" where any will do.
	Code string
	Also string // what other instructions have that do the same, but for what they give back
	Tag  ir.Tag // of the fence, where that is another word
	// Like is what the word is called in all dialects that have one for the same thing.
	Like string
	// Makes is what an atomic makes of what it reads; Unseen tells one that gives nothing back.
	Makes  Makes
	Unseen bool
	Least  int // bytes that it accesses, of those that there are
	// Of C: Call is how an atomic is written, with its order, the place, the operand and what it expects, which is
	// in a variable, and is answered with 1, where it Compares;
	// Orders are those that it can be given, the strongest first. Section is what a fence stands for that
	// is none. Param is declared by a thread that has the word.
	Call     string
	Compares bool
	Orders   []Order
	Section  *Section
	Param    string
}

// Order is one that an atomic operation of C can be given: how it is written, and which
// marks the read and the write have by it.
type Order struct{ Text, Read, Write string }

// OrdersOf reads orders, each with its three words.
func OrdersOf(rows ...string) (out []Order) {
	for _, row := range rows {
		words := strings.Split(row, " ")
		out = append(out, Order{Text: words[0], Read: words[1], Write: words[2]})
	}
	return out
}

// Section is a critical section of which both ends of an edge are part: how it is entered and left,
// with a variable in the place of INDEX, and the tags of what does.
type Section struct {
	Enter, Leave  string
	Entered, Left ir.Tag
}

// Relaxed is what marks are like that make accesses in C what a machine's plain ones are.
const Relaxed = "relaxed"

// Makes is how an atomic's write comes of its read and its operand.
type Makes int

// The ways: the operand itself, a sum, an or, an exclusive or, the greater of both; an and or the lesser
// of both, which keep of the operand what was there; and a difference, or an and with its complement. From
// Counts on there is no operand: one more or less, the number with its sign changed, and with all its bits.
const (
	Puts Makes = iota
	Adds
	Sets
	Flips
	Greater
	Keeps
	Takes
	Counts
	Drops
	Negates
	Inverts
)

// Falls tells those that want something that is there, to make less of it or something else.
func (m Makes) Falls() bool { return m == Keeps || m == Takes || m == Drops || m == Negates }

// Mark is an annotation of a dialect: how an access is made.
type Mark struct {
	Mark          string
	Reads, Writes bool // the accesses that can be made so
	Text          string
	Tags          ir.Tags // that an access so made has one of, where that is another word
	Code          string  // what its statement has, if other marks have the same tags
	Like          string  // see Word
	Atomic        bool    // only halves of atomic updates are made so
	Alone         bool    // none is
	Rewrites      bool    // a read made so writes back what it has read
	Least         int     // see Word
	Load, Store   string  // how C writes it, with a place and a value
}

// Exclusive marks the half of a pair of exclusive accesses. Pair is the edge between two
// that are both there for their own sake: a read and a write of one location.
const (
	Exclusive = "X"
	Pair      = "LxSx"
)

// PairOf is the mark of a pair, and WordOf the read-modify-write that is one.
func PairOf(load, store string) Mark {
	return Mark{
		Mark: Exclusive, Reads: true, Writes: true, Like: "pair", Alone: true, Rewrites: true,
		Text: "a pair, " + load + " and " + store +
			": a read writes back what it has read, a write is told what was there",
	}
}

// WordOf is the word of a pair.
func WordOf(load, store string) Word {
	return Word{Name: Pair, Text: load + " and " + store + ": the read and the write of a pair"}
}

// Assembler writes a dialect's instructions. Registers are counted from 0 in each thread, in
// the order in which it takes them.
type Assembler struct {
	Absolute  bool // instructions name locations, and carry values to write
	Registers int  // that there are
	// number that Set and Add take; others are in registers from the start, and are added by AddTo; 0 where any will do
	Largest int
	Full    string // the word of the fence that orders most, which observers have between reads
	Seen    string // the mark of an observer's reads

	Shown   func(r int) string // in conditions
	Pointer func(r int) string // in the init block

	Set    func(w *Writer, r, value int)
	Zero   func(w *Writer, dst, src int) // a zero that depends on src
	Add    func(w *Writer, r, value int)
	AddTo  func(w *Writer, r, other int)
	Branch func(w *Writer, r int, label string) // to the next line, whatever r is
	// Sum is the sum of two values, and Offset that of an address and a value, which is Sum where it is nil; both nil
	// where no dependencies can be put into a thread that is there.
	Sum, Offset func(w *Writer, dst, a, b int)
	Load        func(w *Writer, dst int, at Place, mark string)
	Store       func(w *Writer, src, value int, at Place, mark string)
	// Pair is a load-exclusive and its store-exclusive. Marks other than Exclusive are of a
	// read-modify-write's halves. It gives the register that says whether the store was
	// made, and by which value; a negative one where the thread goes to its end unless it was.
	Pair   func(w *Writer, dst, src int, at Place, load, store string) (status, ok int)
	Atomic func(w *Writer, at Place, a Atomic)
}

// Language is how tests of C are written.
type Language struct {
	Atomic     string // the type of a location that all accesses of a thread treat as atomic
	Seen, Full string // see Assembler
}

// Place is where an access goes: a location, the register with its address, and one with
// a zero to add to that, or -1. Where Bytes is not 0 it is to so many, At bytes behind the location's beginning, and
// to a word otherwise.
type Place struct {
	Location    string
	Base, Index int
	Bytes, At   int
}

// Size is how many bytes are accessed.
func (p Place) Size() int { return cmp.Or(p.Bytes, 4) }

// Letter is the size as most instructions have it: of a byte, a halfword, a word, or a doubleword.
func (p Place) Letter() string { return map[int]string{1: "b", 2: "h", 4: "w", 8: "d"}[p.Size()] }

// Atomic is a read-modify-write: its word, the marks of its halves, what is read and written,
// and its operand.
type Atomic struct {
	Word
	Load, Store       string
	Read, Write, Step int
}

// Register is what one holds at first, "r2=x", and its type, where that is not the usual one.
type Register struct{ Type, Text string }

// Writer is a thread as it is written.
type Writer struct {
	Assembler *Assembler
	Lines     []string
	Asked     []string // "r1=0"
	Init      []Register
	Bytes     bool   // numbers are made of bytes
	Next      int    // registers that are taken
	Labels    *int   // of all threads
	Read      int    // the register of the last read
	last      string // the label of the end, where something goes there
}

// Emit writes a line.
func (w *Writer) Emit(format string, args ...any) {
	w.Lines = append(w.Lines, fmt.Sprintf(format, args...))
}

// End is a label that Close puts at the thread's end.
func (w *Writer) End() string {
	if w.last == "" {
		w.last = w.Label()
	}
	return w.last
}

// Close ends a thread: it is asked to get to its end without a jump there.
func (w *Writer) Close() {
	if w.last != "" {
		done := w.Take()
		w.Assembler.Set(w, done, 1)
		w.Emit("%s:", w.last)
		w.Ask(done, 1)
	}
}

// Label is a new label.
func (w *Writer) Label() string {
	*w.Labels++
	return fmt.Sprintf("LC%02d", *w.Labels-1)
}

// Take takes a register.
func (w *Writer) Take() int {
	w.Next++
	return w.Next - 1
}

// Ask has the condition ask for a register's value.
func (w *Writer) Ask(register, value int) {
	w.Asked = append(w.Asked, w.Assembler.Shown(register)+"="+Spell(value, w.Bytes))
}

// AskAt asks for what has been read at a place.
func (w *Writer) AskAt(at Place, register, value int) {
	if at.Bytes == 8 {
		w.Init = append(w.Init, Register{"uint64_t", w.Assembler.Pointer(register) + "=0"})
	}
	w.Ask(register, value)
}

// Spell writes a number: one that is made of bytes so that one sees them.
func Spell(value int, bytes bool) string {
	if bytes && value >= 1<<8 {
		return fmt.Sprintf("%#x", value)
	}
	return strconv.Itoa(value)
}

// Constant gives a register with a value, unless instructions carry it with them.
func (w *Writer) Constant(value int) int {
	if w.Assembler.Absolute {
		return -1
	}
	return w.Number(value)
}

// Number gives a register with a value.
func (w *Writer) Number(value int) int {
	r := w.Take()
	if most := w.Assembler.Largest; most > 0 && value > most {
		w.Init = append(w.Init, Register{"", w.Assembler.Pointer(r) + "=" + Spell(value, w.Bytes)})
	} else {
		w.Assembler.Set(w, r, value)
	}
	return r
}

// Counted names registers by a prefix and a number.
func Counted(prefix string, first int) func(int) string {
	return func(r int) string { return fmt.Sprintf("%s%d", prefix, first+r) }
}
