package cycle

import (
	"fmt"
	"slices"
	"strings"
)

// speech is how a dialect of C says what accesses and fences do. A place is a pointer's
// name, or a sum with one.
type speech struct {
	atomic string // the type of a location that all accesses of a thread treat as atomic
	fences map[string]string
	load   map[string]string // by mark: of a place
	store  map[string]string // of a place and a value
	rmw    func(e Edge, place string, value int) string
	seen   string // the mark of an observer's reads
	full   string // the fence between them
}

var speeches = map[string]*speech{
	ofC: {
		atomic: "atomic_int *", seen: "Rlx", full: "FenceSc",
		fences: map[string]string{
			"FenceSc": "atomic_thread_fence(memory_order_seq_cst);", "FenceAR": "atomic_thread_fence(memory_order_acq_rel);",
			"FenceAcq": "atomic_thread_fence(memory_order_acquire);", "FenceRel": "atomic_thread_fence(memory_order_release);",
		},
		load: map[string]string{
			"": "*%s", "Rlx": "atomic_load_explicit(%s, memory_order_relaxed)", "Acq": "atomic_load_explicit(%s, memory_order_acquire)",
			"Con": "atomic_load_explicit(%s, memory_order_consume)", "Sc": "atomic_load_explicit(%s, memory_order_seq_cst)",
		},
		store: map[string]string{
			"": "*%s = %s", "Rlx": "atomic_store_explicit(%s, %s, memory_order_relaxed)",
			"Rel": "atomic_store_explicit(%s, %s, memory_order_release)", "Sc": "atomic_store_explicit(%s, %s, memory_order_seq_cst)",
		},
		rmw: func(e Edge, place string, value int) string {
			o, _ := orderOf(e)
			name := "exchange"
			if adds(e.Name) {
				name = "fetch_add"
			}
			return fmt.Sprintf("atomic_%s_explicit(%s, %d, memory_order_%s)", name, place, value, o.text)
		},
	},
	kernel: {
		atomic: "int *", seen: "Once", full: "FenceMb",
		fences: map[string]string{
			"FenceMb": "smp_mb();", "FenceWmb": "smp_wmb();", "FenceRmb": "smp_rmb();",
			"FenceBefore-atomic": "smp_mb__before_atomic();", "FenceAfter-atomic": "smp_mb__after_atomic();", "FenceAfter-spinlock": "smp_mb__after_spinlock();",
			"FenceAfter-unlock-lock": "smp_mb__after_unlock_lock();", "FenceSync-rcu": "synchronize_rcu();",
		},
		load: map[string]string{
			"": "*%s", "Once": "READ_ONCE(*%s)", "Acquire": "smp_load_acquire(%s)", "Deref": "rcu_dereference(*%s)",
		},
		store: map[string]string{
			"": "*%s = %s", "Once": "WRITE_ONCE(*%s, %s)", "Release": "smp_store_release(%s, %s)", "Assign": "rcu_assign_pointer(*%s, %s)",
		},
		rmw: func(e Edge, place string, value int) string {
			o, _ := orderOf(e)
			return fmt.Sprintf("xchg%s(%s, %d)", o.text, place, value)
		},
	},
}

// function is a thread of C as it is written.
type function struct {
	*speech
	lines     []string
	asked     []string // "r1=0"
	params    []param
	depth     int    // of blocks that are open
	held      bool   // in a read-side critical section
	reads     int    // so far, each into a variable of its own
	read      string // the variable of the last one
	condition string // true where the last one has seen what it is to see
}

type param struct {
	loc   int
	plain bool // some access of the thread is not atomic
}

func (f *function) emit(format string, args ...any) {
	f.lines = append(f.lines, strings.Repeat("    ", f.depth+1)+fmt.Sprintf(format, args...))
}

// functions are the threads of the plan and its observers, and what is asked of each.
func (p *plan) functions(s *speech) (text string, asked [][]string) {
	var all []*function
	for _, events := range p.threads {
		f := &function{speech: s}
		for n, i := range events {
			if p.events[i].after.Kind == Rmw {
				continue // written with its read
			}
			var rmw *event
			last := i
			if n+1 < len(events) && p.cycle[i].Kind == Rmw {
				last = events[n+1]
				rmw = &p.events[last]
			}
			f.access(p.events[i], rmw, p.cycle[last])
		}
		all = append(all, f)
	}
	for _, o := range p.observers {
		f := &function{speech: s}
		for n, value := range o.values {
			after := Edge{Kind: Po}
			if n > 0 {
				after = Edge{Kind: Fence, Name: s.full}
			}
			f.access(event{loc: o.loc, access: Access{Mark: s.seen}, value: value, asked: true, after: after}, nil, Edge{})
		}
		all = append(all, f)
	}
	var b strings.Builder
	for i, f := range all {
		b.WriteString(f.text(i))
		asked = append(asked, f.asked)
	}
	return b.String() + "\n", asked
}

// place is an expression that points to a location: one that depends on the last read, where
// that is asked for.
func (f *function) place(ev event) string {
	i := slices.IndexFunc(f.params, func(p param) bool { return p.loc == ev.loc })
	if i < 0 {
		i = len(f.params)
		f.params = append(f.params, param{loc: ev.loc})
	}
	if ev.access.Mark == "" {
		f.params[i].plain = true
	}
	if ev.after.Kind == Dp && ev.after.Name == "Addr" {
		return fmt.Sprintf("(%s + (%s ^ %[2]s))", locName(ev.loc), f.read)
	}
	return locName(ev.loc)
}

// access writes an event, and before it what comes between it and the one before. Where
// rmw is given, it is the write of the same operation. out is the edge that follows.
func (f *function) access(ev event, rmw *event, out Edge) {
	if ev.after.Kind == Fence && ev.after.Name != section {
		f.emit("%s", f.fences[ev.after.Name])
	}
	held := out.Kind == Fence && out.Name == section
	if held && !f.held {
		f.emit("rcu_read_lock();")
	}
	at, target := f.place(ev), fmt.Sprintf("int r%d", f.reads)
	branch := ev.after.Kind == Dp && ev.after.Name == "Ctrl"
	if branch {
		if !ev.access.Write { // it has to be there behind the block
			f.emit("%s = 0;", target)
			target = fmt.Sprintf("r%d", f.reads)
		}
		f.emit("if (%s) {", f.condition)
		f.depth++
	}
	switch {
	case rmw != nil:
		operand := rmw.value
		if adds(rmw.after.Name) {
			operand = rmw.step
		}
		f.emit("%s = %s;", target, f.rmw(rmw.after, at, operand))
	case ev.access.Write:
		value := fmt.Sprint(ev.value)
		if ev.after.Kind == Dp && ev.after.Name == "Data" {
			value = fmt.Sprintf("%d + (%s ^ %[2]s)", ev.value, f.read)
		}
		f.emit(f.store[ev.access.Mark]+";", at, value)
	default:
		f.emit("%s = "+f.load[ev.access.Mark]+";", target, at)
	}
	if branch {
		f.depth--
		f.emit("}")
	}
	if !ev.access.Write {
		f.saw(ev)
	}
	if f.held = f.held || held; f.held && !held {
		f.emit("rcu_read_unlock();")
		f.held = false
	}
}

// saw notes the variable that a read has gone to, and what is asked of it.
func (f *function) saw(ev event) {
	f.read = fmt.Sprintf("r%d", f.reads)
	f.reads++
	f.condition = fmt.Sprintf("%s == %[1]s", f.read)
	if ev.asked {
		f.condition = fmt.Sprintf("%s == %d", f.read, ev.value)
		f.asked = append(f.asked, fmt.Sprintf("%s=%d", f.read, ev.value))
	}
}

// text is the function of a thread.
func (f *function) text(thread int) string {
	var params []string
	for _, p := range f.params {
		kind := f.atomic
		if p.plain {
			kind = "int *"
		}
		params = append(params, kind+locName(p.loc))
	}
	return fmt.Sprintf("\nP%d(%s)\n{\n%s\n}\n", thread, strings.Join(params, ", "), strings.Join(f.lines, "\n"))
}
