package wasm

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// MostPages is the maximum of the shared memory that every module imports, in pages of 64 KiB: 64 MiB.
const MostPages = 1024

// MostThreads is the largest number of threads of a test. Each needs a worker of its own.
const MostThreads = 8

// Rounds is the number of rounds that a loop runs: a cell whose loop needs more is not counted.
const Rounds = 3

// Test is a litmus test in WebAssembly.
type Test struct {
	Threads []Thread `json:"threads"`
	// Cell is the number of bytes of one cell. A cell begins at a multiple of it. Initial has the locations of a cell
	// that do not begin with 0.
	Cell    int   `json:"cell"`
	Pages   int   `json:"pages"` // the maximum of the shared memory, which is [MostPages]
	Initial []Var `json:"initial"`
	// Observed says where the numbers of an outcome are, in the order of the program's observables.
	Observed []Place `json:"observed"`
	// Changes names what becomes stronger than it is in the test, or weaker.
	Changes []Change `json:"changes"`
	// Perpetual is the test without a barrier. BarrierOnly says why there is none.
	Perpetual   *Perpetual `json:"perpetual,omitempty"`
	BarrierOnly string     `json:"barrierOnly,omitempty"`
}

// Thread is the module of one thread. It exports run(order, results, barrier, from, to: i32, zero: i64, seed: i32):
// order is the address of a table of addresses of cells (i32), of which run takes those from from to before to; results
// is the address of a table of rows, one for each cell; barrier is the address of the barrier's counter; zero is 0.
type Thread struct {
	Name   string `json:"name"`
	Module []byte `json:"module"` // in base64, in JSON
	// Listing is the text of the module's function, with the test's instructions as comments.
	Listing string `json:"listing"`
	// Row is the number of i64 of a row of results: a status, which is not 0 if the cell must not be counted, then the
	// observed registers.
	Row int `json:"row"`
}

// Place is where an observable's value is: in a thread's row, or in the cell (Thread is -1).
type Place struct {
	Thread int `json:"thread"`
	Index  int `json:"index"` // in the row, or the offset in the cell
	Bits   int `json:"bits"`
}

// Change is an instruction that WebAssembly cannot express as it is.
type Change struct {
	Thread string `json:"thread"`
	Source string `json:"source"` // the instruction
	What   string `json:"what"`   // "becomes …"
}

// Assemble assembles a program. It refuses, at the place of the instruction, what cannot run on a processor in this
// way.
func Assemble(p *ir.Program) (*Test, error) {
	if err := admit(p); err != nil {
		return nil, err
	}
	cells, err := newLayout(p.Locs)
	if err != nil {
		return nil, &litmus.Error{Pos: litmus.Pos{File: p.File}, Msg: err.Error()}
	}
	unrolled, loops := ir.Unroll(p, Rounds, ir.Waits{})
	t := &Test{Cell: cells.cell(), Pages: MostPages, Initial: cells.initial(p.Locs), Changes: []Change{}}
	rows := make([][]int, len(p.Threads)) // the observed registers of each thread
	for _, o := range p.Observed {
		place := Place{Thread: o.Thread, Bits: o.Bits}
		if o.Thread < 0 {
			place.Index = cells.offset(p.Locs[o.Index].Address)
		} else {
			rows[o.Thread] = append(rows[o.Thread], o.Index)
			place.Index = len(rows[o.Thread])
		}
		t.Observed = append(t.Observed, place)
	}
	for i := range unrolled.Threads {
		f := &function{program: unrolled, thread: &unrolled.Threads[i], cells: cells, threads: len(p.Threads), test: t}
		thread, err := f.assemble(rows[i])
		if err != nil {
			return nil, err
		}
		t.Threads = append(t.Threads, thread)
	}
	if loops {
		t.Changes = append(t.Changes, Change{What: fmt.Sprintf(
			"A loop runs at most %d rounds. Runs that need more are not counted.", Rounds)})
	}
	if err := t.addPerpetual(unrolled, cells, loops); err != nil {
		return nil, err
	}
	return t, nil
}

// Runs reports whether a browser may run tests of a program's kind: its threads are not a GPU's, and it has nothing of
// a system's side. [Assemble] says what else it cannot run.
func Runs(p *ir.Program) bool { return !p.System && p.Scopes == nil }

// admit refuses programs as a whole.
func admit(p *ir.Program) error {
	whole := func(format string, args ...any) error {
		return &litmus.Error{Pos: litmus.Pos{File: p.File}, Msg: fmt.Sprintf(format, args...)}
	}
	switch {
	case len(p.Unset) > 0:
		return p.Unset
	case !Runs(p):
		return whole("a browser runs threads on the processor, without memory tags, exceptions, modified " +
			"instructions and page tables: this test is for a GPU or has some of these")
	case len(p.Threads) < 2:
		return whole("a test with one thread has nothing to run beside it")
	case len(p.Threads) > MostThreads:
		return whole("the test has %d threads, and at most %d can run", len(p.Threads), MostThreads)
	case len(p.Labels) > 0:
		return whole("the test uses the address of the label %s: code has no address in WebAssembly", p.Labels[0].Name)
	case p.Wide:
		return whole("accesses of 128 bits cannot run in a browser: WebAssembly has none that are single-copy atomic")
	case p.Split && p.BigEndian:
		return whole("accesses of several widths cannot run in a browser on this architecture's byte order: " +
			"WebAssembly is little-endian")
	}
	return nil
}

// State turns the numbers of one cell, in the order of Observed, into a state of the program.
func (t *Test) State(values []uint64) ir.State {
	s := make(ir.State, len(values))
	for i, v := range values {
		s[i] = v & ir.Mask(t.Observed[i].Bits)
	}
	return s
}

// Parameters and locals of run, by index. Registers and temporaries follow.
const (
	paramOrder = iota
	paramResults
	paramBarrier
	paramFrom
	paramTo
	paramZero // i64
	paramSeed

	localCell // the address of the present cell
	localTarget
	localSpins
	localSeen
	localAddress  // of the present access, in memory
	localReserved // the address of the last exclusive load; 0 if there is none

	localStatus // from here on i64
	localOld    // what an update has read
	localNew    // what it writes
	localLinked // what the last exclusive load has read
	localFirst  // the first register
)

var parameters = []byte{typeI32, typeI32, typeI32, typeI32, typeI32, typeI64, typeI32}

const locals32 = localStatus - localCell

// spinsBeforeSleep is how often a thread looks at the barrier's counter before it sleeps for sleep nanoseconds, because
// another thread may need its processor. It looks for much longer than it sleeps: a thread that has slept is late for
// this cell, and the others must still be awake at the next one, or the threads never run at the same time.
const (
	spinsBeforeSleep = 1 << 15
	sleep            = 50_000
)

// function assembles the function of one thread.
type function struct {
	code

	program *ir.Program
	thread  *ir.Thread
	cells   layout
	threads int
	test    *Test

	repeated *repeated // of a perpetual test; nil for a thread with barriers
	place    int       // of a perpetual test: the thread's index
	present  int       // the step that is assembled
	loads    []int     // of a perpetual test: the locals of the values of the thread's loads

	source  int   // the instruction that the text has shown last
	targets []int // of jumps, in ascending order, whose blocks are open
	temps   int   // further locals of 64 bits in use
	most    int   // … at once
}

// assemble writes the function: for each cell, a barrier, the thread's code, and the observed registers. In a perpetual
// test, the barrier is before the loop, there is one cell, and the values of loads are stored.
func (f *function) assemble(row []int) (Thread, error) {
	f.source = -1
	if f.repeated != nil {
		f.barrier()
		f.note("one round for each iteration, on the same cell, whose address the compiler cannot know")
		f.op("loop")
		f.index("local.get", paramOrder)
		f.access("i32.load", 2, 0)
		f.index("local.set", localCell)
		for range f.repeated.row[f.place] {
			f.loads = append(f.loads, localFirst+len(f.thread.Regs)+len(f.loads))
		}
	} else {
		f.note("one round for each cell")
		f.op("loop")
		f.nextCell()
		f.barrier()
		f.stagger()
	}
	f.note("initial values")
	f.number("i64.const", 0)
	f.index("local.set", localStatus)
	f.number("i32.const", 0)
	f.index("local.set", localReserved)
	for i, r := range f.thread.Regs {
		f.number("i64.const", int64(r.Init))
		f.index("local.set", localFirst+i)
	}
	if err := f.body(); err != nil {
		return Thread{}, err
	}
	f.note("results")
	if f.repeated != nil {
		f.record()
	} else {
		f.results(row)
	}
	f.note("the next round")
	f.index("local.get", paramFrom)
	f.number("i32.const", 1)
	f.op("i32.add")
	f.index("local.tee", paramFrom)
	f.index("local.get", paramTo)
	f.op("i32.lt_u")
	f.index("br_if", 0)
	f.op("end")
	width := 1 + len(row)
	if f.repeated != nil {
		width = len(f.loads)
	}
	locals64 := localFirst - localStatus + len(f.thread.Regs) + len(f.loads) + f.most
	return Thread{
		Name:    threadName(f.thread),
		Module:  module(parameters, locals32, locals64, f.bytes),
		Listing: strings.Join(f.text, "\n") + "\n",
		Row:     width,
	}, nil
}

// nextCell loads the address of the present cell.
func (f *function) nextCell() {
	f.index("local.get", paramOrder)
	f.index("local.get", paramFrom)
	f.number("i32.const", 2)
	f.op("i32.shl", "i32.add")
	f.access("i32.load", 2, 0)
	f.index("local.set", localCell)
}

// barrier waits until all threads have come to this cell: each adds 1 to the counter, which never goes down.
func (f *function) barrier() {
	f.note("barrier")
	f.index("local.get", paramBarrier)
	f.number("i32.const", 1)
	f.access("i32.atomic.rmw.add", 2, 0)
	f.op("drop")
	f.index("local.get", localTarget)
	f.number("i32.const", int64(f.threads))
	f.op("i32.add")
	f.index("local.set", localTarget)
	f.number("i32.const", 0)
	f.index("local.set", localSpins)
	f.op("block", "loop")
	f.index("local.get", paramBarrier)
	f.access("i32.atomic.load", 2, 0)
	f.index("local.tee", localSeen)
	f.index("local.get", localTarget)
	f.op("i32.ge_u")
	f.index("br_if", 1)
	f.index("local.get", localSpins)
	f.number("i32.const", 1)
	f.op("i32.add")
	f.index("local.tee", localSpins)
	f.number("i32.const", spinsBeforeSleep)
	f.op("i32.lt_u")
	f.index("br_if", 0)
	f.index("local.get", paramBarrier)
	f.index("local.get", localSeen)
	f.number("i64.const", sleep)
	f.access("memory.atomic.wait32", 2, 0)
	f.op("drop")
	f.index("br", 0)
	f.op("end", "end")
}

// stagger waits for a random number of rounds, so that the threads begin a cell in different orders and distances.
func (f *function) stagger() {
	f.note("a random distance from the other threads")
	f.index("local.get", paramSeed) // xorshift
	for _, shift := range []struct {
		op string
		by int64
	}{{"i32.shl", 13}, {"i32.shr_u", 17}, {"i32.shl", 5}} {
		f.index("local.tee", paramSeed)
		f.index("local.get", paramSeed)
		f.number("i32.const", shift.by)
		f.op(shift.op, "i32.xor")
	}
	f.index("local.tee", paramSeed)
	f.number("i32.const", 27)
	f.op("i32.shr_u")
	f.index("local.set", localSpins)
	f.op("block", "loop")
	f.index("local.get", localSpins)
	f.op("i32.eqz")
	f.index("br_if", 1)
	f.index("local.get", localSpins)
	f.number("i32.const", 1)
	f.op("i32.sub")
	f.index("local.set", localSpins)
	f.index("br", 0)
	f.op("end", "end")
}

// results stores the status and the observed registers in the cell's row.
func (f *function) results(row []int) {
	f.index("local.get", paramResults)
	f.index("local.get", paramFrom)
	f.number("i32.const", int64(8*(1+len(row))))
	f.op("i32.mul", "i32.add")
	f.index("local.tee", localAddress)
	f.index("local.get", localStatus)
	f.access("i64.store", 3, 0)
	for i, r := range row {
		f.index("local.get", localAddress)
		f.index("local.get", localFirst+r)
		f.access("i64.store", 3, 8*(1+i))
	}
}

// record stores the values of an iteration's loads in its row.
func (f *function) record() {
	for i, l := range f.loads {
		f.index("local.get", paramResults)
		f.index("local.get", paramFrom)
		f.number("i32.const", int64(8*len(f.loads)))
		f.op("i32.mul", "i32.add")
		f.index("local.get", l)
		f.access("i64.store", 3, 8*i)
	}
}

// body assembles the thread's code. All jumps go forward: a target ends a block that has begun before the code. The
// outermost block ends the thread.
func (f *function) body() error {
	for _, s := range f.thread.Code {
		if b, ok := s.Op.(ir.Branch); ok && !slices.Contains(f.targets, b.Target) {
			f.targets = append(f.targets, b.Target)
		}
	}
	slices.Sort(f.targets)
	f.op("block")
	for range f.targets {
		f.op("block")
	}
	for i, s := range f.thread.Code {
		f.land(i)
		if s.Source != f.source && s.Source >= 0 && s.Source < len(f.thread.Source) {
			f.source = s.Source
			f.note(f.thread.Source[s.Source].Flat().Text)
		}
		f.temps = 0
		f.present = i
		if err := f.step(i, s.Op); err != nil {
			return err
		}
	}
	f.land(len(f.thread.Code))
	f.op("end")
	return nil
}

// land ends the block of jumps to a step.
func (f *function) land(step int) {
	if len(f.targets) > 0 && f.targets[0] == step {
		f.targets = f.targets[1:]
		f.op("end")
	}
}

// refuse is the error for the present instruction.
func (f *function) refuse(format string, args ...any) error {
	pos := litmus.Pos{File: f.program.File}
	if f.source >= 0 {
		pos = f.thread.Source[f.source].Pos
	}
	return &litmus.Error{Pos: pos, Msg: fmt.Sprintf(format, args...)}
}

// change notes what becomes of the present instruction, once for each.
func (f *function) change(what string) {
	c := Change{Thread: threadName(f.thread), What: what}
	if f.source >= 0 {
		c.Source = f.thread.Source[f.source].Flat().Text
	}
	if !slices.Contains(f.test.Changes, c) {
		f.test.Changes = append(f.test.Changes, c)
	}
}
