package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/library"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// The locations of programs about locks.
const (
	shared = iota
	lockA
	lockB
)

// lockCode collects the code of a thread that takes and leaves locks.
type lockCode []ir.Op

func plain(write bool, loc int) ir.Op {
	if write {
		return ir.Store{Addr: at(loc), Value: num(1), Tags: ir.Tags{"NA"}, At: ir.Locs{loc}}
	}
	return ir.Load{Dst: 0, Addr: at(loc), Bits: bits, Tags: ir.Tags{"NA"}, At: ir.Locs{loc}}
}

// attempt is an update that takes a lock if cond is true of what it reads.
func attempt(loc int, o c.Order, cond ir.Expr) ir.Op {
	tags := slices.Concat(o.Read(), ir.Tags{ir.TagLocked})
	return ir.RMW{
		Dst: 1, Addr: at(loc), Bits: bits, New: num(1), If: cond, Tags: tags, WriteTags: tags, At: ir.Locs{loc},
	}
}

var (
	free  = is(ir.Old{Bits: bits}, 0)
	taken = ir.Not(is(reg(1), 0))
)

func (l *lockCode) add(ops ...ir.Op) { *l = append(*l, ops...) }

// section adds code that takes a lock in some way, and the code within. leave is the order of the release, or nil for
// none.
func (l *lockCode) section(way string, loc int, o c.Order, leave *c.Order, within func()) {
	end := -1 // a branch that jumps over the section
	switch way {
	case "waits":
		l.add(attempt(loc, o, free), ir.Assume{Cond: is(reg(1), 0), Wait: true, Since: len(*l)})
	case "exchanges":
		l.add(attempt(loc, o, nil), ir.Assume{Cond: is(reg(1), 0)})
	case "tries":
		l.add(attempt(loc, o, free))
		end = len(*l)
		l.add(ir.Branch{Cond: taken})
	case "may fail":
		l.add(ir.Choose{Dst: 2, Weak: true}, ir.Assign{Dst: 3, Value: num(0)},
			attempt(loc, o, both(ir.Extract{X: reg(2), Bits: 1}, free)),
			ir.Assign{Dst: 3, Value: ir.Extend{
				X: both(ir.Extract{X: reg(2), Bits: 1}, is(reg(1), 0)), Bits: bits,
			}})
		end = len(*l)
		l.add(ir.Branch{Cond: is(reg(3), 0)})
	case "in two steps":
		read := ir.Load{Dst: 1, Addr: at(loc), Bits: bits, Tags: o.Read(), Reserve: true, At: ir.Locs{loc}}
		l.add(read, ir.Assume{Cond: is(reg(1), 0)}, ir.StoreCond{
			Status: 2, Ok: 1, Addr: at(loc), Value: num(1), Tags: slices.Concat(o.Write(), ir.Tags{ir.TagLocked}),
			At: ir.Locs{loc},
		}, ir.Assume{Cond: is(reg(2), 1)})
	case "does not test":
		l.add(attempt(loc, o, free))
	}
	within()
	if leave != nil {
		l.add(ir.Store{Addr: at(loc), Value: num(0), Tags: leave.Write(), At: ir.Locs{loc}})
	}
	if end >= 0 {
		(*l)[end] = ir.Branch{Cond: (*l)[end].(ir.Branch).Cond, Target: len(*l)}
	}
}

// drawLocks draws a program whose threads mostly access a variable in sections, mostly of the right form.
func drawLocks(t *rapid.T) *ir.Program {
	rarely := func(what string, n int) bool { return rapid.IntRange(0, n).Draw(t, what) == n }
	statement := func(l *lockCode) {
		if rarely("unprotected", 12) {
			l.add(plain(rarely("write", 1), shared))
			return
		}
		loc := lockA
		if rarely("other lock", 3) {
			loc = lockB
		}
		o, leave := c.Acquire, c.Release
		if rarely("weak acquire", 24) {
			o = c.Relaxed
		}
		if rarely("weak release", 24) {
			leave = c.Relaxed
		}
		leaves := &leave
		if rarely("stays", 16) {
			leaves = nil
		}
		way := rapid.SampledFrom([]string{
			"waits", "waits", "exchanges", "tries", "may fail", "in two steps", "does not test",
		}).Draw(t, "way")
		if way == "does not test" && !rarely("untested", 3) {
			way = "waits"
		}
		l.section(way, loc, o, leaves, func() {
			if rarely("depends", 3) {
				l.add(ir.Branch{Cond: is(reg(0), 1), Target: len(*l) + 2})
			}
			l.add(plain(rarely("write", 1), shared))
			if rarely("released early", 16) {
				l.add(ir.Store{Addr: at(loc), Value: num(0), Tags: leave.Write(), At: ir.Locs{loc}})
			}
		})
		if rarely("spoils a lock", 40) {
			l.add(ir.Store{
				Addr: at(loc), Value: num(uint64(rapid.IntRange(0, 2).Draw(t, "value"))),
				Tags: c.Release.Write(), At: ir.Locs{loc},
			})
		}
	}
	var main lockCode
	threads := [][]ir.Op{nil}
	for i := range 2 {
		if rarely("before", 6) {
			main.add(plain(true, shared))
		}
		main.add(spawn(i + 1))
		var l lockCode
		for range rapid.IntRange(1, 2).Draw(t, "statements") {
			statement(&l)
		}
		threads = append(threads, l)
	}
	if rarely("main", 3) {
		statement(&main)
	}
	joins := rapid.IntRange(0, 2).Draw(t, "joins")
	for i := range joins {
		main.add(join(i + 1))
	}
	if rarely("after", 3) || joins == 2 {
		main.add(plain(rarely("write", 1), shared))
	}
	threads[0] = main
	p := cprogram(3, threads...)
	for t := range p.Threads {
		p.Threads[t].Regs[2].Bits = 1
	}
	return p
}

// copyOf parses the text of a built-in model under another name. The engine does not know what holds for it.
func copyOf(t *testing.T, name string) *models.Model {
	text, err := library.Text(name + ".cat")
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.Parse("copy of "+name, text, dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The verdict on data races is the same with and without locksets, under every model whose races are those of C11.
func TestLocksetsAgreeWithFormula(t *testing.T) {
	names := slices.DeleteFunc(models.Names(), func(n string) bool { return n == "lkmm" })
	copies := map[string]*models.Model{}
	for _, n := range names {
		copies[n] = copyOf(t, n)
	}
	settled, safe := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawLocks(t)
		name := rapid.SampledFrom(names).Draw(t, "model")
		m, _ := models.Find(name)
		ask := func(m *models.Model) *solver.Verification {
			v, err := axiomatic.Engine{}.Verify(context.Background(),
				solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()},
				solver.Verify{Properties: []ir.Property{ir.DataRace}})
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		with, without := ask(m), ask(copies[name])
		if with.Verdict != without.Verdict || with.Complete != without.Complete {
			code := ""
			for t := range p.Threads {
				for pc, s := range p.Threads[t].Code {
					code += fmt.Sprintf("%d.%d %T%+v\n", t, pc, s.Op, s.Op)
				}
			}
			t.Fatalf("%s: %s with locksets (settled by %q), %s without\n%s", name, with.Verdict, with.SettledBy,
				without.Verdict, code)
		}
		if without.SettledBy != "" {
			t.Fatalf("a model that is not built in is answered by %s", without.SettledBy)
		}
		if with.SettledBy != "" {
			settled++
		}
		if with.Verdict == solver.Safe && m.ForbidsThinAir() {
			safe++
		}
	})
	t.Logf("locksets decided %d of %d safe programs", settled, safe)
	if settled < safe/3 {
		t.Errorf("locksets decided %d of %d safe programs, want a third of them", settled, safe)
	}
}
