package wasm

import (
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Perpetual is a test that runs without a barrier in each iteration, after the idea of Melissaris, Markakis, Shaw and
// Martonosi (PerpLE, MICRO 2020). The threads meet once, and then each runs its code again and again, on the same
// locations. In iteration n, the store number a (from 1) of the k stores to a location writes k*n+a, so that the value
// of a load says which store of which iteration it has read. All locations begin as 0.
type Perpetual struct {
	// Threads have rows of the values of their loads. Their parameters are those of a [Test]'s threads, except that
	// order is the address of the address of the one cell, and from and to are iterations.
	Threads []Thread `json:"threads"`
	// Counter is a module that exports run(counts, n, results: i32 …): it adds, for each of Outcomes, the number of
	// frames among n iterations of all threads to an i32 at counts. results are the addresses of the threads' tables
	// of rows. It looks at one frame for each iteration of a thread and each outcome, so that its time is linear in n.
	Counter []byte `json:"counter"` // in base64, in JSON
	// Outcomes are what frames can have, as numbers in the order of Test.Observed, in decimal. Several may be equal:
	// they differ in loads that the test does not observe.
	Outcomes [][]string `json:"outcomes"`
	// Most is the largest number of iterations, for which values have 32 bits.
	Most int `json:"most"`
}

// mostFrames is the largest number of combinations of stores that the loads of a test can read.
const mostFrames = 256

// mostStores is the largest number of stores to a location, and mostIterations that of iterations: values of 32 bits
// are unique, and 0 minus one of them is beyond the last iteration.
const (
	mostStores     = 64
	mostIterations = 1 << 20
)

// repeated is the analysis of a test for its perpetual form.
type repeated struct {
	program *ir.Program
	at      []map[int]*repeatedAccess // by thread, by step
	loads   []*repeatedAccess         // of all threads, in order
	stores  [][]*repeatedAccess       // by location, in program order
	row     []int                     // by thread: the number of its loads
}

// repeatedAccess is a load or store that each iteration performs.
type repeatedAccess struct {
	thread, loc int
	number      int    // of a load, in the row; of a store to the location, from 1
	value       uint64 // what a store writes in the test
}

// writer is the thread that stores to a location, or -1.
func (r *repeated) writer(loc int) int {
	if len(r.stores[loc]) == 0 {
		return -1
	}
	return r.stores[loc][0].thread
}

// addPerpetual gives a test its perpetual form, or says why it has none.
func (t *Test) addPerpetual(p *ir.Program, cells layout, loops bool) error {
	var r *repeated
	err := error(&litmus.Error{Msg: "the test has a loop, whose rounds may differ between iterations"})
	if !loops {
		r, err = perpetualOf(p)
	}
	var outcomes []frame
	if err == nil {
		outcomes, err = r.outcomes()
	}
	if err != nil {
		t.BarrierOnly = litmus.Errors(err)[0].Msg
		return nil
	}
	t.Perpetual = &Perpetual{Counter: r.counter(outcomes), Most: mostIterations}
	for _, o := range outcomes {
		t.Perpetual.Outcomes = append(t.Perpetual.Outcomes, o.values)
	}
	for i := range p.Threads {
		// What WebAssembly changes is the same in both forms.
		f := &function{
			program: p, thread: &p.Threads[i], cells: cells, threads: len(p.Threads), test: &Test{},
			repeated: r, place: i,
		}
		thread, err := f.assemble(nil)
		if err != nil {
			return err
		}
		t.Perpetual.Threads = append(t.Perpetual.Threads, thread)
	}
	return nil
}

// perpetualOf analyses a test without loops. It refuses what a perpetual test cannot have.
func perpetualOf(p *ir.Program) (*repeated, error) {
	for _, o := range p.Observed {
		if o.Thread < 0 {
			return nil, fmt.Errorf("the test asks for the final value of %s, and later iterations overwrite it",
				p.Locs[o.Index].Name)
		}
	}
	if p.Split {
		return nil, fmt.Errorf("accesses of several widths overlap")
	}
	r := &repeated{program: p, stores: make([][]*repeatedAccess, len(p.Locs))}
	for t := range p.Threads {
		if err := straight(p, t); err != nil {
			return nil, err
		}
		if err := r.add(t); err != nil {
			return nil, err
		}
	}
	if len(r.loads) == 0 {
		return nil, fmt.Errorf("the test loads nothing")
	}
	for loc, stores := range r.stores {
		name := p.Locs[loc].Name
		if len(stores) > mostStores {
			return nil, fmt.Errorf("the test has more than %d stores to %s", mostStores, name)
		}
		for _, s := range stores {
			if s.thread != stores[0].thread {
				return nil, fmt.Errorf("%s and %s both store to %s, and values do not say which store is older",
					threadName(&p.Threads[stores[0].thread]), threadName(&p.Threads[s.thread]), name)
			}
		}
	}
	return r, nil
}

// straight refuses a thread whose iterations may differ in more than values.
func straight(p *ir.Program, t int) error {
	th := &p.Threads[t]
	for i, s := range th.Code {
		what := ""
		switch op := s.Op.(type) {
		case ir.Assign, ir.Store, ir.Fence, ir.Scope:
		case ir.Load:
			if op.Reserve {
				what = "an exclusive load and its store form one update"
			}
		case ir.Branch:
			if op.Target != i+1 {
				what = "a branch skips code"
			}
		case ir.RMW, ir.StoreCond:
			what = "an update writes what depends on what it has read"
		case ir.Choose:
			what = "a free choice differs between iterations"
		case ir.Pick:
			what = "a conditional choice between values is an event of its own"
		default:
			what = "an iteration may end early"
		}
		if what != "" {
			return fmt.Errorf("%s: %s", instruction(th, s.Source), what)
		}
	}
	return nil
}

// instruction names an instruction of a thread, for an error.
func instruction(th *ir.Thread, source int) string {
	if source < 0 || source >= len(th.Source) {
		return threadName(th)
	}
	return threadName(th) + ", " + th.Source[source].Flat().Text
}

// add notes the accesses of a thread, whose code is straight.
func (r *repeated) add(t int) error {
	th := &r.program.Threads[t]
	accesses := map[int]*repeatedAccess{}
	done, _, err := r.iterate(t, nil)
	if err != nil {
		return err
	}
	loads := 0
	for _, a := range done {
		loc := r.program.Locs[a.Loc]
		if a.Bits != loc.Bits || a.Bits < 32 {
			return fmt.Errorf("%s: an access of %d bits has no room for the number of an iteration",
				instruction(th, th.Code[a.Step].Source), a.Bits)
		}
		access := &repeatedAccess{thread: t, loc: a.Loc, value: a.Value}
		accesses[a.Step] = access
		if a.Kind == ir.ActLoad {
			access.number = loads
			loads++
			r.loads = append(r.loads, access)
		} else {
			r.stores[a.Loc] = append(r.stores[a.Loc], access)
			access.number = len(r.stores[a.Loc])
		}
	}
	r.at = append(r.at, accesses)
	r.row = append(r.row, loads)
	return nil
}

// iterate runs a thread of the original test once. Its loads have the given values, and then initial ones. It returns
// its loads and stores, and its registers.
func (r *repeated) iterate(t int, loads []uint64) (done []ir.Action, regs []uint64, err error) {
	c := ir.NewCursor(r.program, t, false)
	for {
		a, err := c.Next()
		if err != nil {
			return nil, nil, err
		}
		switch a.Kind {
		case ir.ActLoad:
			v := r.program.Locs[a.Loc].Init
			if len(loads) > 0 {
				v, loads = loads[0], loads[1:]
			}
			done = append(done, a)
			c.Read(v)
		case ir.ActStore:
			done = append(done, a)
			c.Pass()
		case ir.ActFence:
			c.Pass()
		case ir.ActEnd:
			return done, c.Regs, nil
		default:
			return nil, nil, fmt.Errorf("%s: an iteration may end early", threadName(c.Thread))
		}
	}
}

// frame is an outcome, by what each load has read.
type frame struct {
	sources []*repeatedAccess // by load: the store; nil for an initial value
	values  []string          // of the observables
}

// outcomes lists all combinations of what the loads can read. It refuses a test in which a store or an address depends
// on that.
func (r *repeated) outcomes() ([]frame, error) {
	total := 1
	for _, l := range r.loads {
		if total *= 1 + len(r.stores[l.loc]); total > mostFrames {
			return nil, fmt.Errorf("its loads can read more than %d combinations of stores", mostFrames)
		}
	}
	var out []frame
	for number := range total {
		f := frame{sources: make([]*repeatedAccess, len(r.loads))}
		values := make([][]uint64, len(r.program.Threads))
		for i, l := range r.loads {
			choices := 1 + len(r.stores[l.loc])
			v := r.program.Locs[l.loc].Init
			if pick := number % choices; pick > 0 {
				f.sources[i] = r.stores[l.loc][pick-1]
				v = f.sources[i].value
			}
			number /= choices
			values[l.thread] = append(values[l.thread], v)
		}
		registers := make([][]uint64, len(r.program.Threads))
		for t := range r.program.Threads {
			done, regs, err := r.iterate(t, values[t])
			if err != nil {
				return nil, err
			}
			if err := r.same(t, done); err != nil {
				return nil, err
			}
			registers[t] = regs
		}
		for _, o := range r.program.Observed {
			f.values = append(f.values, fmt.Sprint(registers[o.Thread][o.Index]&ir.Mask(o.Bits)))
		}
		out = append(out, f)
	}
	return out, nil
}

// same checks that the accesses of an iteration are those that perpetualOf has noted.
func (r *repeated) same(t int, done []ir.Action) error {
	th := &r.program.Threads[t]
	for _, a := range done {
		at := instruction(th, th.Code[a.Step].Source)
		switch noted := r.at[t][a.Step]; {
		case noted == nil || noted.loc != a.Loc:
			return fmt.Errorf("%s: the address depends on the value of a load", at)
		case a.Kind == ir.ActStore && noted.value != a.Value:
			return fmt.Errorf("%s: the stored value depends on the value of a load", at)
		}
	}
	return nil
}

// iterationAddress puts the address of a perpetual access on the stack: the location's, which depends on the registers
// of the address's expression.
func (f *function) iterationAddress(a *repeatedAccess, e ir.Expr) (offset int) {
	f.index("local.get", localCell)
	if _, fixed := e.(ir.Addr); !fixed {
		f.dependency(e)
		f.op("i32.wrap_i64", "i32.add")
	}
	return f.cells.offset(f.program.Locs[a.loc].Address)
}

// iterationValue puts the value of a perpetual store on the stack: its number in the sequence, which depends on the
// registers of the value's expression.
func (f *function) iterationValue(a *repeatedAccess, e ir.Expr) {
	f.index("local.get", paramFrom)
	f.number("i32.const", int64(len(f.repeated.stores[a.loc])))
	f.op("i32.mul")
	f.number("i32.const", int64(a.number))
	f.op("i32.add", "i64.extend_i32_u")
	if _, fixed := e.(ir.Const); !fixed {
		f.dependency(e)
		f.op("i64.add")
	}
}

// dependency puts 0 on the stack, which depends on the registers of e.
func (f *function) dependency(e ir.Expr) {
	f.kept(e)
	f.index("local.get", paramZero)
	f.op("i64.and")
}

// perpetualAccess returns the perpetual access of the present step, or nil with a barrier.
func (f *function) perpetualAccess() *repeatedAccess {
	if f.repeated == nil {
		return nil
	}
	return f.repeated.at[f.place][f.present]
}

// threadName is the name of a thread, for people.
func threadName(t *ir.Thread) string {
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("P%d", t.ID)
}
