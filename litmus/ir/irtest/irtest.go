// Package irtest parses and draws small multi-threaded programs for the tests of engines. [Parse] reads a program in a
// short notation, "x=1; a=y || y=1; b=x", which its comment describes. [Draw] draws random programs that spawn threads
// and assert something, [DrawWaits] programs that wait. [Run] explores all runs of a program by plain enumeration,
// under a [Model] that is SC, TSO or PSO, and returns what engines have to find.
//
// It imports litmus/ir: no model and no solver.
package irtest

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Bits is the width of everything.
const Bits = 8

const (
	locations = "tuvwxyz"
	registers = "abcd"
	chosen    = len(registers) // a register of one bit
)

// Parse reads a program. It panics if it cannot. "||" separates threads, ";" statements:
//
//	x=1  x=a         store              a=x          load (a … d are registers)
//	a=1  a=b         assign             a=x<-1       swap, a full fence
//	a=x++            fetch and add      a=x<-1?0     write 1 if x is 0, a full fence
//	x:=1  a:=x       plain accesses     x=1.rel  a=x.acq
//	mf               full fence         ww wr rr rw  fence of one kind
//	lock x           wait until x is 0, and set it to 1; unlock x sets it to 0
//	spawn 1          start thread 1; spawn 1 a=b gives it a
//	join 1           wait for its end
//	assert a=1       also assert a!=1; assume a=1, assume a!=1
//	choose a         0 or 1
//	atomic, end      an atomic section
//	L:               label
//	if a=1 L         jump ahead; also if a!=1 L, goto L
//	unwound          the unwinding bound
//	spin L           the end of a round, which begins at L, that only waits
//
// Locations are t … z and begin with 0, except t, which begins with any value. All are 8 bits wide.
func Parse(text string) *ir.Program {
	p := &ir.Program{File: "t.c", Name: "t", Arch: "C", Condition: litmus.Condition{Prop: litmus.Bool(true)}}
	for i, name := range locations {
		p.Locs = append(p.Locs,
			ir.Location{Name: string(name), Bits: Bits, Address: uint64(0x1000 + 8*i), Any: name == 't'})
	}
	for t, column := range strings.Split(text, "||") {
		th := &thread{Thread: ir.Thread{
			ID: t, Name: fmt.Sprintf("thread%d", t), Spawned: strings.Contains(text, fmt.Sprintf("spawn %d", t)),
		}, labels: map[string]int{}}
		if t == 0 {
			th.Name = "main"
		}
		for _, r := range registers {
			th.Regs = append(th.Regs, ir.Register{Name: string(r), Bits: Bits})
		}
		th.Regs = append(th.Regs, ir.Register{Bits: 1})
		for i, s := range strings.Split(column, ";") {
			s = strings.TrimSpace(s)
			th.Source = append(th.Source, litmus.Cell{Text: s, Pos: litmus.Pos{File: "t.c", Line: i + 1, Col: t + 1}})
			th.statement(s)
		}
		for _, j := range th.jumps {
			th.land(j.step, th.labels[j.label])
		}
		p.Threads = append(p.Threads, th.Thread)
	}
	return p
}

// thread is a thread that is being parsed.
type thread struct {
	ir.Thread
	labels map[string]int
	jumps  []jump
}

type jump struct {
	step  int
	label string
}

func (t *thread) emit(op ir.Op) {
	t.Code = append(t.Code, ir.Step{Op: op, Source: len(t.Source) - 1})
}

func (t *thread) land(step, at int) {
	switch op := t.Code[step].Op.(type) {
	case ir.Branch:
		op.Target = at
		t.Code[step].Op = op
	case ir.Unwound:
		op.Since = at
		t.Code[step].Op = op
	case ir.Assume:
		op.Since = at
		t.Code[step].Op = op
	}
}

var locked = ir.Tags{"X", ir.TagLocked, ir.TagFull}

// statement parses one statement of the notation that Parse describes.
func (t *thread) statement(s string) {
	words := strings.Fields(s)
	if label, ok := strings.CutSuffix(s, ":"); ok {
		t.labels[label] = len(t.Code)
		return
	}
	switch words[0] {
	case "mf":
		t.emit(ir.Fence{Tags: append(ir.Tags{"MFENCE"}, ir.FullFence...)})
	case "ww", "wr", "rr", "rw":
		t.emit(ir.Fence{Tags: ir.Tags{ir.Tag("F" + strings.ToUpper(s))}})
	case "lock":
		at := address(words[1])
		t.emit(ir.RMW{Dst: 3, Addr: at, Bits: Bits, New: number("1"), Tags: locked, WriteTags: locked})
		t.emit(ir.Assume{Cond: ir.Eq.Of(register("d"), number("0")), Wait: true, Since: len(t.Code) - 1})
	case "unlock":
		t.emit(ir.Store{Addr: address(words[1]), Value: number("0"), Tags: ir.Tags{ir.TagRelease}})
	case "spawn":
		op := ir.Spawn{Thread: threadOf(words[1])}
		for _, w := range words[2:] {
			reg, v, _ := strings.Cut(w, "=")
			op.Args = append(op.Args, ir.Arg{Reg: strings.Index(registers, reg), Value: value(v)})
		}
		t.emit(op)
	case "join":
		t.emit(ir.Join{Thread: threadOf(words[1])})
	case "assert":
		t.emit(ir.Assert{Cond: condition(words[1]), Property: ir.Assertion, Text: words[1]})
	case "assume":
		t.emit(ir.Assume{Cond: condition(words[1])})
	case "await":
		t.jumps = append(t.jumps, jump{len(t.Code), words[2]})
		t.emit(ir.Assume{Cond: condition(words[1]), Wait: true})
	case "choose":
		t.emit(ir.Choose{Dst: chosen})
		t.emit(
			ir.Assign{Dst: strings.Index(registers, words[1]), Value: ir.Resize(ir.Reg{Index: chosen, Bits: 1}, Bits)})
	case "atomic", "end":
		t.emit(ir.Atomic{End: words[0] == "end"})
	case "goto", "if":
		var cond ir.Expr
		if words[0] == "if" {
			cond = condition(words[1])
		}
		t.jumps = append(t.jumps, jump{len(t.Code), words[len(words)-1]})
		t.emit(ir.Branch{Cond: cond})
	case "unwound":
		t.emit(ir.Unwound{})
	case "spin":
		t.jumps = append(t.jumps, jump{len(t.Code), words[1]})
		t.emit(ir.Unwound{Spin: true})
	default:
		t.emit(assignment(s))
	}
}

// assignment parses a statement with an equals sign.
func assignment(s string) ir.Op {
	left, right, ok := strings.Cut(s, "=")
	if !ok {
		panic("irtest: " + s)
	}
	left, na := strings.CutSuffix(left, ":")
	right, order, _ := strings.Cut(right, ".")
	tags := map[string]ir.Tags{"": nil, "rel": {ir.TagRelease}, "acq": {ir.TagAcquire}}[order]
	if na {
		tags = ir.Tags{"NA"}
	}
	if strings.Contains(locations, left) {
		return ir.Store{Addr: address(left), Value: value(right), Tags: tags, At: at(left)}
	}
	dst := strings.Index(registers, left)
	if strings.Contains(locations, right) {
		return ir.Load{Dst: dst, Addr: address(right), Bits: Bits, Tags: tags, At: at(right)}
	}
	rmw := ir.RMW{Dst: dst, Bits: Bits, Tags: locked, WriteTags: locked}
	if loc, ok := strings.CutSuffix(right, "++"); ok {
		rmw.Addr, rmw.At, rmw.New = address(loc), at(loc), ir.Add.Of(ir.Old{Bits: Bits}, number("1"))
		return rmw
	}
	if loc, v, ok := strings.Cut(right, "<-"); ok {
		v, expected, cas := strings.Cut(v, "?")
		rmw.Addr, rmw.At, rmw.New = address(loc), at(loc), value(v)
		if cas {
			rmw.If = ir.Eq.Of(ir.Old{Bits: Bits}, value(expected))
		}
		return rmw
	}
	return ir.Assign{Dst: dst, Value: value(right)}
}

func at(loc string) ir.Locs { return ir.Locs{strings.Index(locations, loc)} }

func address(loc string) ir.Expr { return ir.Addr{Loc: at(loc)[0], Bits: 64} }

func register(name string) ir.Expr { return ir.Reg{Index: strings.Index(registers, name), Bits: Bits} }

func number(s string) ir.Expr {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("irtest: " + s)
	}
	return ir.Number(uint64(n), Bits)
}

func value(s string) ir.Expr {
	if strings.Contains(registers, s) {
		return register(s)
	}
	return number(s)
}

func condition(s string) ir.Expr {
	left, right, _ := strings.Cut(s, "=")
	left, not := strings.CutSuffix(left, "!")
	c := ir.Eq.Of(value(left), value(right))
	if not {
		return ir.Not(c)
	}
	return c
}

func threadOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("irtest: " + s)
	}
	return n
}
