package axiomatic_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/machine"
)

// mixedArch is how a dialect writes accesses of two or three widths to x and y, of so many bytes each.
type mixedArch struct {
	arch, init string
	bytes      int
	models     []string
	// of a size: 0 for all, 1 for a half, 2 for a byte; k numbers a new register, n the stored value, at an offset
	load, store func(size, k, n int, loc string, at int) string
	others      []string // with %[1]d and %[2]d for registers of their own
	register    func(k int) string
}

var mixedArchs = []mixedArch{
	{
		"AArch64", "%[1]d:X1=x; %[1]d:X2=y; %[1]d:X3=0x0102030405060708; %[1]d:X4=0x1112131415161718; ", 8,
		[]string{"aarch64", "sc", "riscv", "tso", "pso"},
		func(size, k, _ int, loc string, at int) string {
			return fmt.Sprintf("%s %s%d,[%s,#%d]", []string{"LDR", "LDR", "LDRB"}[size], []string{"X", "W", "W"}[size],
				k, map[string]string{"x": "X1", "y": "X2"}[loc], at)
		},
		func(size, _, n int, loc string, at int) string {
			return fmt.Sprintf("%s %s%d,[%s,#%d]", []string{"STR", "STR", "STRB"}[size], []string{"X", "W", "W"}[size],
				3+n, map[string]string{"x": "X1", "y": "X2"}[loc], at)
		},
		[]string{
			"DMB SY", "DMB LD", "DMB ST", "LDAR W%[1]d,[X1]", "STLR X3,[X2]", "SWP W3,W%[1]d,[X1]",
			"LDADD X4,X%[1]d,[X2]", "LDXR X%[1]d,[X1]; STXR W%[2]d,X3,[X1]", "LDXR W%[1]d,[X2]; STXR W%[2]d,W4,[X2]",
			"LDXR W%[1]d,[X1]; STXR W%[2]d,X4,[X1]", "LDXP W%[1]d,W%[2]d,[X1]; STXP W5,W3,W4,[X1]",
			"CASPAL W6,W7,W4,W5,[X2]",
		},
		func(k int) string { return fmt.Sprintf("X%d", k) },
	},
	{
		"X86_64", "%[1]d:rax=x; %[1]d:rbx=y; %[1]d:rcx=0x0102030405060708; %[1]d:rdx=0x1112131415161718; ", 8,
		[]string{"tso", "sc", "pso"},
		func(size, k, _ int, loc string, at int) string {
			return fmt.Sprintf("%s %d(%%%s),%%r%d%s", []string{"movq", "movl", "movb"}[size], at,
				map[string]string{"x": "rax", "y": "rbx"}[loc], k, []string{"", "d", "b"}[size])
		},
		func(size, _, n int, loc string, at int) string {
			return fmt.Sprintf("%s %%%s,%d(%%%s)", []string{"movq", "movl", "movb"}[size],
				[][]string{{"rcx", "ecx", "cl"}, {"rdx", "edx", "dl"}}[n][size], at,
				map[string]string{"x": "rax", "y": "rbx"}[loc])
		},
		[]string{"mfence", "xchgq %%rcx,(%%rax)", "xchgl %%edx,4(%%rbx)", "lock addl $1,(%%rax)"},
		func(k int) string { return fmt.Sprintf("r%d", k) },
	},
	{
		"RISCV", "%[1]d:x1=x; %[1]d:x2=y; %[1]d:x3=0x0102030405060708; %[1]d:x4=0x1112131415161718; ", 8,
		[]string{"riscv", "sc", "aarch64", "pso"},
		func(size, k, _ int, loc string, at int) string {
			return fmt.Sprintf("%s x%d,%d(%s)", []string{"ld", "lw", "lb"}[size], k, at,
				map[string]string{"x": "x1", "y": "x2"}[loc])
		},
		func(size, _, n int, loc string, at int) string {
			return fmt.Sprintf("%s x%d,%d(%s)", []string{"sd", "sw", "sb"}[size], 3+n, at,
				map[string]string{"x": "x1", "y": "x2"}[loc])
		},
		[]string{
			"fence rw,rw", "fence r,rw", "fence w,w", "amoswap.w x%[1]d,x3,(x1)", "amoadd.d.aqrl x%[1]d,x4,(x2)",
			"lr.w x%[1]d,(x1); sc.w x%[2]d,x3,(x1)",
		},
		func(k int) string { return fmt.Sprintf("x%d", k) },
	},
	{
		"PPC", "%[1]d:r1=x; %[1]d:r2=y; %[1]d:r3=0x0102030405060708; %[1]d:r4=0x1112131415161718; ", 8,
		[]string{"power", "sc", "pso"},
		func(size, k, _ int, loc string, at int) string {
			return fmt.Sprintf("%s r%d,%d(%s)", []string{"ld", "lwz", "lbz"}[size], k, at,
				map[string]string{"x": "r1", "y": "r2"}[loc])
		},
		func(size, _, n int, loc string, at int) string {
			return fmt.Sprintf("%s r%d,%d(%s)", []string{"std", "stw", "stb"}[size], 3+n, at,
				map[string]string{"x": "r1", "y": "r2"}[loc])
		},
		[]string{
			"sync", "lwsync", "eieio", "lwarx r%[1]d,r0,r1; stwcx. r3,r0,r1",
			"ldarx r%[1]d,r0,r2; stdcx. r4,r0,r2", "ldarx r%[1]d,r0,r2; stwcx. r4,r0,r2",
		},
		func(k int) string { return fmt.Sprintf("r%d", k) },
	},
	{
		"ARM", "%[1]d:R1=x; %[1]d:R2=y; %[1]d:R3=0x01020304; %[1]d:R4=0x11121314; ", 4,
		[]string{"arm", "sc"},
		func(size, k, _ int, loc string, at int) string {
			return fmt.Sprintf("%s R%d,[%s,#%d]", []string{"LDR", "LDRH", "LDRB"}[size], k,
				map[string]string{"x": "R1", "y": "R2"}[loc], at)
		},
		func(size, _, n int, loc string, at int) string {
			return fmt.Sprintf("%s R%d,[%s,#%d]", []string{"STR", "STRH", "STRB"}[size], 3+n,
				map[string]string{"x": "R1", "y": "R2"}[loc], at)
		},
		[]string{"DMB", "DMB ST", "LDREX R%[1]d,[R1]; STREX R%[2]d,R3,[R1]"},
		func(k int) string { return fmt.Sprintf("R%d", k) },
	},
	{
		"AArch64", "%[1]d:X1=x; %[1]d:X2=y; %[1]d:X3=0x0102030405060708; %[1]d:X4=0x1112131415161718; ", 16,
		[]string{"aarch64", "sc", "pso", "riscv"},
		func(size, k, _ int, loc string, at int) string {
			base := map[string]string{"x": "X1", "y": "X2"}[loc]
			return []string{
				fmt.Sprintf("LDXP X%d,XZR,[%s]", k, base), fmt.Sprintf("LDR X%d,[%s,#%d]", k, base, at),
				fmt.Sprintf("LDRB W%d,[%s,#%d]", k, base, at),
			}[size]
		},
		func(size, _, n int, loc string, at int) string {
			base := map[string]string{"x": "X1", "y": "X2"}[loc]
			return []string{
				fmt.Sprintf("CASP X6,X7,X4,X5,[%s]", base), fmt.Sprintf("STR X%d,[%s,#%d]", 3+n, base, at),
				fmt.Sprintf("STRB W%d,[%s,#%d]", 3+n, base, at),
			}[size]
		},
		[]string{
			"DMB SY", "DMB LD", "LDXP X%[1]d,X%[2]d,[X1]", "LDXP X%[1]d,X%[2]d,[X1]; STXP W5,X3,X4,[X1]",
			"LDAXP X%[1]d,X%[2]d,[X2]; STLXP W5,X%[1]d,X4,[X2]", "LDXP X%[1]d,X%[2]d,[X1]; STXR W5,X3,[X1]",
			"CASPAL X6,X7,X4,X5,[X2]", "MOV X%[1]d,X3; SWPPA X%[1]d,X%[2]d,[X1]",
			"MOV X%[2]d,X4; LDSETPL X%[1]d,X%[2]d,[X2]",
		},
		func(k int) string { return fmt.Sprintf("X%d", k) },
	},
}

// draw writes a test of two threads in which accesses overlap in part, as a rule.
func (a *mixedArch) draw(t *rapid.T) string {
	var init, observed strings.Builder
	columns := make([][]string, 2)
	rows := 0
	for i := range columns {
		fmt.Fprintf(&init, a.init, i)
		next := 8
		for range rapid.IntRange(1, 2+i).Draw(t, "length") {
			if evenly(t, "other", 4) == 0 {
				own := strings.NewReplacer("%[1]d", fmt.Sprint(next), "%[2]d", fmt.Sprint(next+1), "%%", "%")
				columns[i] = append(columns[i], strings.Split(own.Replace(among(t, "instruction", a.others)), "; ")...)
				next += 2
				continue
			}
			size := []int{0, 0, 0, 1, 1, 1, 1, 2}[evenly(t, "size", 8)]
			at := []int{0, a.bytes / 2 * evenly(t, "half", 2), evenly(t, "byte", a.bytes)}[size]
			access := a.load
			if rapid.Bool().Draw(t, "store") {
				access = a.store
			}
			columns[i] = append(columns[i],
				access(size, next, evenly(t, "value", 2), among(t, "location", []string{"x", "x", "y"}), at))
			next++
		}
		for k := 8; k < next; k++ {
			fmt.Fprintf(&observed, " %d:%s;", i, a.register(k))
		}
		rows = max(rows, len(columns[i]))
	}
	var b strings.Builder
	declared := fmt.Sprintf("uint%[1]d_t x; uint%[1]d_t y;", 8*a.bytes)
	if a.bytes > 8 {
		declared = "uint64_t x[2]; uint64_t y[2];"
	}
	fmt.Fprintf(&b, "%s random\n{ %s %s}\n P0 | P1 ;\n", a.arch, declared, init.String())
	for row := range rows {
		cells := [2]string{}
		for i, c := range columns {
			if row < len(c) {
				cells[i] = c[row]
			}
		}
		fmt.Fprintf(&b, " %s | %s ;\n", cells[0], cells[1])
	}
	fmt.Fprintf(&b, "locations [x; y;%s]\nexists true\n", observed.String())
	return b.String()
}

// enumerateMixed is the plain way to an answer, as enumerate: a read may give whatever its pieces' cells may hold.
func enumerateMixed(t *rapid.T, p *ir.Program, m *models.Model, see func(*models.Execution)) []string {
	cells := make([]map[uint64]bool, len(p.Locs))
	for i, l := range p.Locs {
		cells[i] = map[uint64]bool{l.Init: true}
	}
	all := func(visit func(x *models.Execution)) {
		reads := make([][]uint64, len(p.Threads))
		tried := 0
		var extend func(thread int)
		extend = func(thread int) {
			if thread == len(p.Threads) {
				if tried++; tried > 300 {
					t.Skip("too many runs")
				}
				if x, err := replay.Replay(p, reads); err == nil {
					visit(x)
				}
				return
			}
			a, ended := nextRead(t, p, thread, reads[thread])
			if ended {
				extend(thread + 1)
				return
			}
			own := reads[thread]
			for _, v := range values(t, p, a, cells) {
				reads[thread] = append(slices.Clone(own), v)
				extend(thread)
			}
			reads[thread] = own
		}
		extend(0)
	}
	for grown := true; grown; {
		grown = false
		all(func(x *models.Execution) {
			for _, e := range x.Events {
				if e.Kind == models.Write && !cells[e.Loc][e.Value] {
					cells[e.Loc][e.Value], grown = true, true
				}
			}
		})
	}
	found, checker, candidates := map[string]bool{}, evaluation.NewChecker(m), 0
	all(func(x *models.Execution) {
		for x := range communicate(x) {
			if candidates++; candidates > 600 {
				t.Skip("too many candidates")
			}
			if !fromThinAir(x) && len(checker.Check(x)) == 0 {
				see(x)
				found[p.FormatState(p.Visible(x.Final()))] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// nextRead is the first read of a thread, store-conditional or choice without a given value.
func nextRead(t *rapid.T, p *ir.Program, thread int, given []uint64) (a ir.Action, ended bool) {
	c := ir.NewCursor(p, thread, false)
	for {
		a, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		switch a.Kind {
		case ir.ActEnd, ir.ActBlocked:
			return a, true
		case ir.ActLoad, ir.ActRMW, ir.ActStoreCond, ir.ActChoose:
			if len(given) == 0 {
				return a, false
			}
			if a.Bits > 64 && a.Kind == ir.ActLoad { // two numbers
				if len(given) == 1 {
					a.Value = 1
					return a, false
				}
				c.ReadBoth([2]uint64(given[:2]))
				given = given[2:]
				continue
			}
			switch a.Kind {
			case ir.ActStoreCond:
				c.Conditional(given[0] == 1)
			case ir.ActChoose:
				c.Choose(given[0] == 1)
			default:
				c.Read(given[0])
			}
			given = given[1:]
		default:
			c.Pass()
		}
	}
}

// values are the possible values of an action.
func values(t *rapid.T, p *ir.Program, a ir.Action, cells []map[uint64]bool) []uint64 {
	if a.Kind == ir.ActStoreCond || a.Kind == ir.ActChoose {
		return []uint64{0, 1}
	}
	out := []uint64{0}
	pieces, _ := p.Pieces(a.Loc, a.Bits)
	for _, q := range pieces {
		which, q := q.Half()
		if a.Kind == ir.ActLoad && which != int(a.Value) {
			continue
		}
		if len(out) > 100 {
			t.Skip("too many values")
		}
		var more []uint64
		for v := range cells[q.Loc] {
			for _, w := range out {
				more = append(more, w|v<<q.Lo)
			}
		}
		out = more
	}
	return out
}

func TestMixedIsEnumeration(t *testing.T) {
	split, wide := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := &mixedArchs[evenly(t, "architecture", len(mixedArchs))]
		source := a.draw(t)
		p, m := mixedTest(t, source, among(t, "model", a.models))
		if p.Split {
			split++
		}
		want := enumerateMixed(t, p, m, func(*models.Execution) {})
		if got := statesOf(t, p, m, source); !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\nengine:\n  %s\nenumeration:\n  %s", m.Name, source, strings.Join(got, "\n  "),
				strings.Join(want, "\n  "))
		}
		if p.Wide && len(want) > 1 {
			wide++
		}
	})
	if split == 0 || wide == 0 {
		t.Errorf("%d tests had accesses that overlapped in part, %d had some of 128 bits", split, wide)
	}
	t.Logf("%d split, %d wide", split, wide)
}

// The same for tests in C, for which models of the language also say what is undefined.
func TestMixedIsEnumerationOnC(t *testing.T) {
	irtest.AtMost(t, 60)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		name := among(t, "model", []string{"rc11", "rc11", "c11", "c11-psc", "sc", "tso", "pso", "aarch64", "riscv"})
		source := cprogtest.DrawTwins(t, strings.Contains(name, "c11")).Test
		p, m := mixedTest(t, source, name)
		checker, raised := evaluation.NewChecker(m), make([]bool, len(m.Flags))
		want := enumerateMixed(t, p, m, func(x *models.Execution) {
			for i, is := range checker.Flags(x) {
				raised[i] = raised[i] || is
			}
		})
		r, err := axiomatic.Engine{}.Explore(context.Background(),
			solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		if got := printed(r.States); !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\nengine:\n  %s\nenumeration:\n  %s", name, source, strings.Join(got, "\n  "),
				strings.Join(want, "\n  "))
		}
		reached[fmt.Sprintf("split %v", p.Split)]++
		for i, f := range m.Flags {
			at := slices.IndexFunc(r.Flags, func(have solver.Flag) bool { return have.Name == f.Name })
			if at < 0 || r.Flags[at].Raised == nil || *r.Flags[at].Raised != raised[i] {
				t.Fatalf("%s\n%s, flag %s: got %v, want raised %v", source, name, f.Name, r.Flags, raised[i])
			}
			if raised[i] {
				reached[f.Name]++
			}
		}
	})
	for _, what := range []string{"split true", "data-race", "atomic-widths"} {
		if reached[what] == 0 {
			t.Errorf("no test was about %s", what)
		}
	}
	t.Log(reached)
}

// Without haz, which has two reads of different sizes take place in order, AArch64's model is that of 2021.
func TestMixedHazards(t *testing.T) {
	m, _ := models.Find("aarch64")
	earlier, err := models.Parse("earlier",
		strings.Replace(m.Text, "acyclic obs | haz | local", "acyclic obs | local", 1), dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	p, err := dialect.Parse("haz.litmus", `AArch64 haz
{ uint64_t x; 0:X1=x; 0:X2=1; 1:X1=x; 1:X5=2; }
 P0             | P1          ;
 STR W2,[X1,#4] | LDR W3,[X1] ;
 DMB SY         | STR W5,[X1] ;
 STR W2,[X1]    | LDR X4,[X1] ;
exists (1:X3=1 /\ 1:X4=2)
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *models.Model
		want solver.Verdict
	}{{m, solver.Forbidden}, {earlier, solver.Allowed}} {
		mixed, err := c.m.Mixed()
		if err != nil {
			t.Fatal(err)
		}
		r, err := axiomatic.Engine{}.Explore(t.Context(),
			solver.Query{Program: p, Model: mixed, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: got %v, want %v", c.m.Name, r.Verdict, c.want)
		}
	}
}

// Whatever the pieces are, each model allows what SC does.
func TestMixedAllowsSC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &mixedArchs[evenly(t, "architecture", len(mixedArchs))]
		source := a.draw(t)
		p, m := mixedTest(t, source, among(t, "model", a.models))
		_, sc := mixedTest(t, source, "sc")
		got := statesOf(t, p, m, source)
		for _, s := range statesOf(t, p, sc, source) {
			if !slices.Contains(got, s) {
				t.Fatalf("%s forbids what SC allows: %s\n%s", m.Name, s, source)
			}
		}
	})
}

func mixedTest(t *rapid.T, source, model string) (*ir.Program, *models.Model) {
	p, err := dialect.Parse("random.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	m, _ := models.Find(model)
	if p.Split {
		if m, err = m.Mixed(); err != nil {
			t.Fatal(err)
		}
	}
	return p, m
}

func statesOf(t *rapid.T, p *ir.Program, m *models.Model, source string) []string {
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return printed(r.States)
}

// bytesMachine is memory, byte by byte, and each thread's buffer of stores, which TSO has: it knows no locations.
type bytesMachine struct {
	memory  map[uint64]byte
	buffers [2][]stored
}

type stored struct {
	addr, value uint64
	bytes       int
}

func (m *bytesMachine) read(thread int, addr uint64, bytes int) (v uint64) {
	for i := range bytes {
		at := addr + uint64(i)
		b := m.memory[at]
		for _, s := range m.buffers[thread] {
			if at >= s.addr && at < s.addr+uint64(s.bytes) {
				b = byte(s.value >> (8 * (at - s.addr)))
			}
		}
		v |= uint64(b) << (8 * i)
	}
	return v
}

func (m *bytesMachine) write(s stored) {
	for i := range s.bytes {
		m.memory[s.addr+uint64(i)] = byte(s.value >> (8 * i))
	}
}

// machineStates are the outcomes of a test of two threads without store-conditionals, on that machine.
func machineStates(t *rapid.T, p *ir.Program, buffered bool) []string {
	found, seen := map[string]bool{}, map[string]bool{}
	var visit func(m bytesMachine, threads []*ir.Cursor)
	visit = func(m bytesMachine, threads []*ir.Cursor) {
		key := fmt.Sprint(m, threads[0].PC, threads[0].Regs, threads[1].PC, threads[1].Regs)
		if seen[key] {
			return
		}
		seen[key] = true
		step := func(i int, do func(m *bytesMachine, c *ir.Cursor)) {
			next := bytesMachine{
				maps.Clone(m.memory),
				[2][]stored{slices.Clone(m.buffers[0]), slices.Clone(m.buffers[1])},
			}
			cursors := slices.Clone(threads)
			c := ir.NewCursor(p, i, false)
			c.Set(threads[i])
			cursors[i] = c
			do(&next, c)
			visit(next, cursors)
		}
		done := true
		for i := range threads {
			own := m.buffers[i]
			if len(own) > 0 {
				done = false
				step(i, func(m *bytesMachine, _ *ir.Cursor) {
					m.write(own[0])
					m.buffers[i] = m.buffers[i][1:]
				})
			}
			a, err := threads[i].Next()
			if err != nil {
				t.Fatal(err)
			}
			at := uint64(0)
			if a.Loc >= 0 {
				at = p.Locs[a.Loc].Address
			}
			switch a.Kind {
			case ir.ActEnd:
				continue
			case ir.ActStore:
				step(i, func(m *bytesMachine, c *ir.Cursor) {
					if s := (stored{at, a.Value, a.Bits / 8}); buffered {
						m.buffers[i] = append(m.buffers[i], s)
					} else {
						m.write(s)
					}
					c.Pass()
				})
			case ir.ActLoad:
				step(i, func(m *bytesMachine, c *ir.Cursor) { c.Read(m.read(i, at, a.Bits/8)) })
			case ir.ActRMW:
				if len(own) == 0 {
					step(i, func(m *bytesMachine, c *ir.Cursor) {
						if v, writes := c.Read(m.read(i, at, a.Bits/8)); writes {
							m.write(stored{at, v, a.Bits / 8})
						}
					})
				}
			case ir.ActFence:
				if len(own) == 0 || !a.Tags.Has(ir.TagWR) {
					step(i, func(_ *bytesMachine, c *ir.Cursor) { c.Pass() })
				}
			default:
				t.Fatalf("BUG: %v", a)
			}
			done = false
		}
		if done {
			state := make(ir.State, len(p.Observed))
			for i, o := range p.Observed {
				if o.Thread >= 0 {
					state[i] = threads[o.Thread].Regs[o.Index] & ir.Mask(o.Bits)
				} else {
					state[i] = m.read(0, p.Locs[o.Index].Address, o.Bits/8)
				}
			}
			found[p.FormatState(p.Visible(state))] = true
		}
	}
	visit(bytesMachine{memory: map[uint64]byte{}}, []*ir.Cursor{ir.NewCursor(p, 0, false), ir.NewCursor(p, 1, false)})
	return slices.Sorted(maps.Keys(found))
}

func TestMixedIsMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &mixedArchs[evenly(t, "architecture", len(mixedArchs))]
		source, model := a.draw(t), among(t, "model", models.Machines())
		p, m := mixedTest(t, source, model)
		if p.Wide {
			t.Skip("no machine has accesses of 128 bits")
		}
		r, err := machine.Engine{}.Explore(context.Background(),
			solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatalf("%s\n%v\n%s", model, err, source)
		}
		want := printed(r.States)
		if got := statesOf(t, p, m, source); !slices.Equal(got, want) {
			t.Fatalf("%s\n%s\nengine:\n  %s\nmachine:\n  %s", model, source, strings.Join(got, "\n  "),
				strings.Join(want, "\n  "))
		}
		if a.arch != "X86_64" || model == "pso" {
			return
		}
		if plain := machineStates(t, p, model == "tso"); !slices.Equal(plain, want) {
			t.Fatalf("%s\n%s\nmachine:\n  %s\nmemory of bytes:\n  %s", model, source, strings.Join(want, "\n  "),
				strings.Join(plain, "\n  "))
		}
	})
}
