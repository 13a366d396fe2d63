package lower

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

// Cycles is a dialect's vocabulary for cycles of relaxations: its own words, in addition to those of all dialects, and
// the spelling of a cycle's test.
type Cycles struct {
	Fences    []Word
	Deps      []Word // in addition to Addr, Data and Ctrl
	Atomics   []Word
	Bare      bool   // there are no dependencies
	Anywhere  bool   // Code can be anywhere in an instruction, not only at its beginning
	Exchange  string // the word of Atomics that is also written Rmw
	Marks     []Mark
	Sized     bool   // accesses can be of bytes, halfwords, words and doublewords: see Place
	BigEndian bool   // if Sized: the first byte is the highest
	Plain     string // mark for an end without a mark if the other end has one; "" means P
	// Standard is a list of relaxations for families of cycles: communication between threads, program order, fences
	// and dependencies that enforce it, and reads from the own thread. Presets are shorter lists.
	Standard string
	// Apart is the word for two threads that share no scope, "sys"; "" if the threads of tests are in no scopes.
	Apart string
	// Update returns the word for an instruction's atomic update, "" if there is none; nil: by the Code of Atomics.
	Update func(instruction string) string
	// Finer lists further relaxations that distinguish models: coherence, atomic instructions, reads of the thread's
	// own writes, and program order after a dependency.
	Finer   string
	Presets []Preset
	// Silent reports whether an atomic instruction does not return the value it reads; nil if all do. Retries says that
	// a branch after a pair depends on whether the pair has stored.
	Silent    func(instruction string) bool
	Retries   bool
	Assembler *Assembler // nil for C, which is not an assembly language
	Language  *Language  // only for C
	// System is how tests access what belongs to a location beside its value; nil if marks name no such thing.
	System *SystemCycles
}

// Preset is a named list of relaxations.
type Preset struct{ Name, List string }

// Word is a fence, a dependency or an atomic instruction that cycles have a word for.
type Word struct {
	Name, Text string
	// Code is the instruction of a fence, or of the fence after a dependency's branch. For an atomic, it is the
	// beginning of its instructions, or "" for any.
	Code string
	Also string  // the same for instructions that differ only in what they return
	Tag  ir.Tag  // tag of the fence, if it differs from the name
	All  ir.Tags // a fence with the word has all of these tags, in place of Tag
	// Like is the common name of the word in all dialects that have a word for the same thing.
	Like string
	// Makes is the operation of an atomic on the value it reads; Unseen says that it does not return that value.
	Makes  Makes
	Unseen bool
	Least  int // minimum size of its access in bytes
	// Orders are the possible orders of an atomic whose marks must be those of one of them, the strongest first.
	Orders []Order
	// For C: Call is the format of an atomic, with its order, the place, the operand and, if it Compares, the variable
	// with the expected value; the result is then 1 if it succeeds. Section is set for a word that is a critical
	// section, not a fence. A thread with the word declares Param.
	Call     string
	Compares bool
	Section  *Section
	Param    string
	// Lines are the instructions of a sequence of fences and maintenance, in place of Code, with ADDRESS and PAGE for
	// registers that have the address of a location and the number of its page. Sequence has a tag of each of its
	// events. Maintains is what maintenance is about.
	Lines     []string
	Sequence  ir.Tags
	Maintains Memory
}

// Order is an order of an atomic operation: its spelling, and the marks of the read and the write with it.
type Order struct{ Text, Read, Write string }

// OrdersOf parses orders, each with its three words.
func OrdersOf(rows ...string) (out []Order) {
	for _, row := range rows {
		words := strings.Split(row, " ")
		out = append(out, Order{Text: words[0], Read: words[1], Write: words[2]})
	}
	return out
}

// Section is a critical section around both ends of an edge: how to enter and leave it, with a variable in place of
// INDEX, and the tags of these events.
type Section struct {
	Enter, Leave  string
	Entered, Left ir.Tag
}

// Relaxed is the common name of marks that make accesses in C correspond to plain accesses of an architecture.
const Relaxed = "relaxed"

// InGroup and InAll follow the common names of words with a scope: that of one group of threads, and the whole system.
// A word with the scope between them has no such end.
const (
	InGroup = " in a group"
	InAll   = " in all"
)

// Makes says how an atomic computes the value to write from the value read and its operand.
type Makes int

// The operations: the operand itself; sum; or; exclusive or; maximum; and or minimum, which keep parts of the operand;
// difference, or and with the complement. From Counts on there is no operand: plus or minus one, negation, complement.
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

// Falls reports whether the operation needs a suitable old value, because it makes it smaller or different.
func (m Makes) Falls() bool { return m == Keeps || m == Takes || m == Drops || m == Negates }

// Mark is an annotation of an access.
type Mark struct {
	Mark          string
	Reads, Writes bool // the accesses that can have the mark
	Text          string
	Tags          ir.Tags // an access with the mark has one of these, if they differ from its name
	All           ir.Tags // and it has all of these
	Reach         int     // of a mark with a scope: a number that is greater for a wider one
	Code          string  // part of its statement, if other marks have the same tags
	Like          string  // see Word
	Atomic        bool    // only halves of atomic updates can have it
	Alone         bool    // halves of atomic updates cannot have it
	Rewrites      bool    // a read with the mark writes back the value it has read
	Least         int     // see Word
	Load, Store   string  // format of the access in C, with a place and a value
	// Memory is what an access with the mark accesses. A write of an entry sets its Field to 1 if On says so, or else
	// to 0.
	Memory Memory
	Field  EntryField
	On     bool
}

// Memory is what an access accesses: the value of a location, or what a system keeps for it.
type Memory int

// The kinds of memory. An access of a value reads the tag and the entry of its location implicitly; instructions are
// read by fetches.
const (
	OfValue Memory = iota
	OfTag
	OfEntry
	OfCode
)

// EntryField is a field of an entry of a page table.
type EntryField int

// The fields of entries that marks change. A write of another output address makes the entry valid and sets its access
// flag.
const (
	NoField EntryField = iota
	FieldValid
	FieldAccess
	FieldWritable
	FieldOutput
)

// Entry is an entry of a page table: the zero value is that of a page in its usual place, which may be accessed. Output
// counts the other pages that it has mapped to.
type Entry struct {
	Invalid, NoAccess, ReadOnly bool
	Output                      int
}

// Set returns the entry with another value of a field.
func (e Entry) Set(f EntryField, on bool) Entry {
	switch f {
	case FieldValid:
		e.Invalid = !on
	case FieldAccess:
		e.NoAccess = !on
	case FieldWritable:
		e.ReadOnly = !on
	case FieldOutput:
		return Entry{ReadOnly: e.ReadOnly, Output: e.Output + 1}
	}
	return e
}

// SystemCycles is how tests of a system's side are written and read.
type SystemCycles struct {
	Variant map[Memory]string // the word of the line Variant=
	// Colors are the names of tags, from the initial one.
	Colors []string
	// Entry writes an entry that maps to the page of a location, or to its own page if that is "".
	Entry func(e Entry, page string) string
	// Fault returns the kind of the fault of an access by an entry, "" if there is none.
	Fault func(e Entry, write bool) string
	// Old and New are instructions as values: what is first at a site, and what writes put there.
	Old, New string
	// Fetch writes the site of an instruction, with a label. The register gets 1 if the new instruction is there.
	Fetch func(w *Writer, label string, register int)
	// Kind returns what an access with these tags accesses, and whether it is implicit.
	Kind func(tags ir.Tags) (m Memory, implicit bool)
	// Fails reports whether the tags are those of a fault, and whether that is the fault of a write.
	Fails func(tags ir.Tags) (fails, writes bool)
	// Output returns the address of the page that an entry maps to.
	Output func(entry uint64) uint64
	// Changed returns the field in which two entries differ, NoField if there is no such one, and whether it is 1 in
	// the second.
	Changed func(before, after uint64) (f EntryField, on bool)
}

// Exclusive marks a half of a pair of exclusive accesses. Pair is the edge between the halves if both are events of the
// cycle: a read and a write of one location.
const (
	Exclusive = "X"
	Pair      = "LxSx"
)

// PairOf returns the mark of a pair.
func PairOf(load, store string) Mark {
	return Mark{
		Mark: Exclusive, Reads: true, Writes: true, Like: "pair", Alone: true, Rewrites: true,
		Text: "a pair, " + load + " and " + store +
			": a read writes back what it has read, a write reads the old value",
	}
}

// WordOf returns the word of a pair as a read-modify-write.
func WordOf(load, store string) Word {
	return Word{Name: Pair, Text: load + " and " + store + ": the read and the write of a pair"}
}

// Assembler writes a dialect's instructions. Registers are counted from 0 in each thread, in the order in which it uses
// them.
type Assembler struct {
	Absolute  bool // instructions contain locations and the values to write
	Registers int  // number of registers
	// the largest immediate of Set and Add; larger numbers are in registers from the start, and AddTo adds them; 0 for
	// no limit
	Largest int
	Full    string // word of the strongest fence, which observers use between reads
	Seen    string // mark of an observer's reads

	Shown   func(r int) string // notation in conditions
	Pointer func(r int) string // notation in the init block

	Set    func(w *Writer, r, value int)
	Zero   func(w *Writer, dst, src int) // a zero that depends on src
	Add    func(w *Writer, r, value int)
	AddTo  func(w *Writer, r, other int)
	Branch func(w *Writer, r int, label string) // to the next line, for every value of r
	// Sum adds two values, and Offset an address and a value (nil: Sum does). Both are nil if dependencies cannot be
	// added to an existing thread.
	Sum, Offset func(w *Writer, dst, a, b int)
	Load        func(w *Writer, dst int, at Place, mark string)
	Store       func(w *Writer, src, value int, at Place, mark string)
	// Pair writes a load-exclusive and its store-exclusive. Marks other than Exclusive are those of a
	// read-modify-write's halves. It returns the register that says whether the store succeeded, and its value for
	// success; the register is negative if the thread jumps to its end on failure.
	Pair   func(w *Writer, dst, src int, at Place, load, store string) (status, ok int)
	Atomic func(w *Writer, at Place, a Atomic)
}

// Language is the spelling of tests in C.
type Language struct {
	Atomic     string // type of a location if all accesses of a thread are atomic
	Plain      string // type of other locations
	Seen, Full string // see Assembler
}

// Place is the target of an access: a location, the register with its address, and a register with a zero to add to
// that, or -1. The access has Bytes bytes at offset At in the location; if Bytes is 0, it is a word. Memory is what it
// accesses at the address in Base.
type Place struct {
	Location    string
	Base, Index int
	Bytes, At   int
	Memory      Memory
}

// Size returns the size of the access in bytes.
func (p Place) Size() int { return cmp.Or(p.Bytes, 4) }

// Letter returns the size as most instructions write it: b, h, w or d.
func (p Place) Letter() string { return map[int]string{1: "b", 2: "h", 4: "w", 8: "d"}[p.Size()] }

// Atomic is a read-modify-write: its word, the marks of its halves, the values read and written, and its operand.
type Atomic struct {
	Word
	Load, Store       string
	Read, Write, Step int
}

// Register is the initial value of a register, such as "r2=x", and its type if it is not the default.
type Register struct{ Type, Text string }

// Writer writes one thread.
type Writer struct {
	Assembler *Assembler
	Lines     []string
	Observed  []string // "r1=0"
	Init      []Register
	Bytes     bool   // numbers consist of bytes
	Next      int    // number of registers in use
	Labels    *int   // number of labels in all threads
	Read      int    // register of the last read
	last      string // label of the end, if a jump leads there
}

// Emit writes a line.
func (w *Writer) Emit(format string, args ...any) {
	w.Lines = append(w.Lines, fmt.Sprintf(format, args...))
}

// End returns a label that Close puts at the thread's end.
func (w *Writer) End() string {
	if w.last == "" {
		w.last = w.Label()
	}
	return w.last
}

// Close ends a thread. The condition requires that it reaches its end without a jump there.
func (w *Writer) Close() {
	if w.last != "" {
		done := w.NewRegister()
		w.Assembler.Set(w, done, 1)
		w.Emit("%s:", w.last)
		w.Observe(done, 1)
	}
}

// Label returns a new label.
func (w *Writer) Label() string {
	*w.Labels++
	return fmt.Sprintf("LC%02d", *w.Labels-1)
}

// NewRegister allocates a register.
func (w *Writer) NewRegister() int {
	w.Next++
	return w.Next - 1
}

// Observe adds a register's value to the condition.
func (w *Writer) Observe(register, value int) {
	w.Observed = append(w.Observed, w.Assembler.Shown(register)+"="+Spell(value, w.Bytes))
}

// AskAt adds the value read at a place to the condition.
func (w *Writer) AskAt(at Place, register, value int) {
	if at.Bytes == 8 {
		w.Init = append(w.Init, Register{"uint64_t", w.Assembler.Pointer(register) + "=0"})
	}
	w.Observe(register, value)
}

// Spell writes a number: in hexadecimal if it consists of bytes.
func Spell(value int, bytes bool) string {
	if bytes && value >= 1<<8 {
		return fmt.Sprintf("%#x", value)
	}
	return strconv.Itoa(value)
}

// Constant returns a register with a value, unless instructions can contain the value.
func (w *Writer) Constant(value int) int {
	if w.Assembler.Absolute {
		return -1
	}
	return w.Number(value)
}

// Number returns a register with a value.
func (w *Writer) Number(value int) int {
	r := w.NewRegister()
	if most := w.Assembler.Largest; most > 0 && value > most {
		w.Init = append(w.Init, Register{"", w.Assembler.Pointer(r) + "=" + Spell(value, w.Bytes)})
	} else {
		w.Assembler.Set(w, r, value)
	}
	return r
}

// Counted returns a function that names registers by a prefix and a number.
func Counted(prefix string, first int) func(int) string {
	return func(r int) string { return fmt.Sprintf("%s%d", prefix, first+r) }
}
