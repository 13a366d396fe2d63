package wasm

import "slices"

// Parameters and locals of the counter's run, by index, all i32. The addresses of the threads' results follow the
// parameters. Then come the locals: the base's iteration, the number of frames, a value, and each thread's iteration.
const (
	paramCounts = iota
	paramIterations
	paramTables // of the first thread
)

// counter assembles a perpetual test's counter.
//
// A frame is one iteration of each thread. The frame has an outcome of the test if each load of the frame
//
//   - has read exactly the frame's store whose value the outcome gives it, or
//   - in place of the initial value, a value that is older than all stores of the frame to the location.
//
// Why this is an occurrence of the outcome. Restrict the execution of all iterations to the events of a frame, let a
// load of the second kind read the initial value, and restrict the coherence order. The result E is an execution of
// the original test with this outcome: the thread's code is straight, its stores and addresses do not depend on what
// it reads (straight and same check both), and a location has stores of one thread only, so that smaller values are
// older. Every edge of E is one of the whole execution. This is clear of program order, dependencies, fences,
// reads-from of the first kind, and coherence. A load of the second kind precedes all stores of the frame to the
// location by from-reads in E, and also in the whole execution, since they overwrite what it has read. Edges from an
// initial write are on no cycle, because none leads to it. A frame has all events of its iterations, so that a
// condition of "nothing between the two in program order" says the same in both. Therefore, if a model whose axioms
// forbid cycles allows the whole execution, it allows E, and a processor that obeys the model never shows a frame with
// a forbidden outcome.
//
// It would not do to accept, in place of the frame's own store, also a later one of the same thread. Under TSO that is
// sound, because a store comes after all that precedes it in its thread. On Arm it is not: in LB+datas, the later
// store's data come from a later load, which says nothing of the frame's load.
//
// For each outcome, a plan proposes one frame for each iteration of one thread, its base. It finds the iterations of
// the other threads from values, as the paper's linear heuristic does. The counter then checks every load of the
// proposed frame. What is counted is therefore right whatever the plan proposes; the plan decides how much is found.
type counter struct {
	code
	*repeated
	threads int
}

// counter returns the module that counts outcomes.
func (r *repeated) counter(outcomes []frame) []byte {
	c := &counter{repeated: r, threads: len(r.program.Threads)}
	for i, o := range outcomes {
		c.count(i, o)
	}
	return module(slices.Repeat([]byte{typeI32}, paramTables+c.threads), 3+c.threads, 0, c.bytes)
}

func (c *counter) base() int            { return paramTables + c.threads }
func (c *counter) frames() int          { return c.base() + 1 }
func (c *counter) value() int           { return c.base() + 2 }
func (c *counter) iteration(t int) int  { return c.base() + 3 + t }
func (c *counter) period(loc int) int64 { return int64(len(c.stores[loc])) }

// count adds the frames with an outcome to its number.
func (c *counter) count(number int, o frame) {
	for local := c.base(); local < c.iteration(c.threads); local++ {
		c.number("i32.const", 0)
		c.index("local.set", local)
	}
	c.op("block")
	c.index("local.get", paramIterations)
	c.op("i32.eqz")
	c.index("br_if", 0)
	c.op("loop", "block")
	base, plan := c.plan(o)
	c.index("local.get", c.base())
	c.index("local.set", c.iteration(base))
	for _, s := range plan {
		c.find(s, o)
	}
	for i, l := range c.loads {
		c.check(l, o.sources[i])
	}
	c.increase(c.frames())
	c.op("end")
	c.increase(c.base())
	c.index("local.get", c.base())
	c.index("local.get", paramIterations)
	c.op("i32.lt_u")
	c.index("br_if", 0)
	c.op("end", "end")
	c.index("local.get", paramCounts)
	c.index("local.get", paramCounts)
	c.access("i32.load", 2, 4*number)
	c.index("local.get", c.frames())
	c.op("i32.add")
	c.access("i32.store", 2, 4*number)
}

// increase adds 1 to a local.
func (c *counter) increase(local int) {
	c.index("local.get", local)
	c.number("i32.const", 1)
	c.op("i32.add")
	c.index("local.set", local)
}

// Ways to find the iteration of a thread of a frame, from the most to the least certain; the number is the price.
const (
	// readFrom: a load of a known thread has read from the iteration.
	readFrom = 0
	// lastOlder: the last iteration whose load is older than a known thread's store.
	lastOlder = 2
	// overwrites: the first iteration whose stores are all newer than what loads of known threads have read.
	overwrites = 3
	// firstReader: the first iteration whose load has read a known thread's store, or a later one.
	firstReader = 5
	// sameNumber: the iteration with the base's number; nothing relates the thread to known ones.
	sameNumber = 10
)

// found is a step of a plan.
type found struct {
	thread, way int
	loads       []int // by index in the test's loads
}

// plan returns the base of an outcome's frames, and how the iterations of the other threads are found.
func (c *counter) plan(o frame) (base int, best []found) {
	cheapest := -1
	for t := range c.threads {
		if c.row[t] == 0 {
			continue
		}
		known := map[int]bool{t: true}
		var steps []found
		price := 0
		for len(known) < c.threads {
			s := c.next(o, known)
			known[s.thread] = true
			steps = append(steps, s)
			price += s.way
		}
		if cheapest < 0 || price < cheapest {
			cheapest, base, best = price, t, steps
		}
	}
	return base, best
}

// next returns the cheapest way to one more thread.
func (c *counter) next(o frame, known map[int]bool) found {
	best := found{way: sameNumber, thread: -1}
	for t := range c.threads {
		if !known[t] && best.thread < 0 {
			best.thread = t
		}
	}
	for i, l := range c.loads {
		writer, exact := c.writer(l.loc), o.sources[i] != nil
		if writer < 0 || known[l.thread] == known[writer] {
			continue
		}
		s := found{thread: writer, way: overwrites, loads: []int{i}}
		switch {
		case known[l.thread] && exact:
			s.way = readFrom
		case !known[l.thread] && exact:
			s = found{thread: l.thread, way: firstReader, loads: []int{i}}
		case !known[l.thread]:
			s = found{thread: l.thread, way: lastOlder, loads: []int{i}}
		}
		if s.way < best.way {
			best = s
		} else if s.way == best.way && s.way == overwrites && s.thread == best.thread {
			best.loads = append(best.loads, i)
		}
	}
	return best
}

// find sets the iteration of a step's thread, or goes on with the next frame if there is none.
func (c *counter) find(s found, o frame) {
	at := c.iteration(s.thread)
	switch s.way {
	case readFrom:
		l, from := c.loads[s.loads[0]], o.sources[s.loads[0]]
		c.load(l, 0)
		c.number("i32.const", int64(from.number))
		c.op("i32.sub")
		c.number("i32.const", c.period(l.loc))
		c.op("i32.div_u")
		c.index("local.set", at)
	case overwrites:
		c.number("i32.const", 0)
		c.index("local.set", at)
		for _, i := range s.loads {
			l := c.loads[i]
			c.load(l, 0)
			c.number("i32.const", c.period(l.loc)-1)
			c.op("i32.add")
			c.number("i32.const", c.period(l.loc))
			c.op("i32.div_u")
			c.index("local.tee", c.value())
			c.index("local.get", at)
			c.index("local.get", c.value())
			c.index("local.get", at)
			c.op("i32.gt_u", "select")
			c.index("local.set", at)
		}
	case lastOlder, firstReader:
		c.advance(c.loads[s.loads[0]], o.sources[s.loads[0]])
	case sameNumber:
		c.index("local.get", c.base())
		c.index("local.set", at)
	}
	c.index("local.get", at)
	c.index("local.get", paramIterations)
	c.op("i32.ge_u")
	c.index("br_if", 0)
}

// advance increases the iteration of a load's thread, from where the last frame has left it: while the load is older
// than its source or, for an initial value, while the load of the next iteration is older than the frame's stores.
func (c *counter) advance(l, from *repeatedAccess) {
	at := c.iteration(l.thread)
	c.op("block", "loop")
	c.index("local.get", at)
	c.number("i32.const", 1)
	c.op("i32.add")
	c.index("local.get", paramIterations)
	c.op("i32.ge_u")
	c.index("br_if", 1)
	if from != nil {
		c.load(l, 0)
		c.stored(l.loc, from.number)
		c.op("i32.ge_u")
	} else {
		c.load(l, 1)
		c.stored(l.loc, 0)
		c.op("i32.gt_u")
	}
	c.index("br_if", 1)
	c.increase(at)
	c.index("br", 0)
	c.op("end", "end")
}

// check goes on with the next frame unless a load of the frame has read from the frame's store or, with none, what is
// older than all stores of the frame.
func (c *counter) check(l, from *repeatedAccess) {
	switch {
	case from != nil:
		c.load(l, 0)
		c.stored(l.loc, from.number)
		c.op("i32.ne")
	case c.writer(l.loc) >= 0:
		c.load(l, 0)
		c.stored(l.loc, 0)
		c.op("i32.gt_u")
	default:
		return // nothing else is there to read
	}
	c.index("br_if", 0)
}

// load puts on the stack what a load has read in the frame's iteration of its thread, or some iterations later.
func (c *counter) load(l *repeatedAccess, later int) {
	row := 8 * c.row[l.thread]
	c.index("local.get", paramTables+l.thread)
	c.index("local.get", c.iteration(l.thread))
	c.number("i32.const", int64(row))
	c.op("i32.mul", "i32.add")
	c.access("i32.load", 2, 8*l.number+row*later)
}

// stored puts on the stack what a store of the frame has written: store 1 is the first to the location, and store 0 is
// the last one of the iteration before.
func (c *counter) stored(loc, number int) {
	c.index("local.get", c.iteration(c.writer(loc)))
	c.number("i32.const", c.period(loc))
	c.op("i32.mul")
	c.number("i32.const", int64(number))
	c.op("i32.add")
}
