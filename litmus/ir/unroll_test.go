package ir_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// thread lowers one thread of X86 code, with EAX and x observed.
func thread(t *testing.T, code string) *ir.Program {
	t.Helper()
	p, err := dialect.Parse("t", "X86 T\n{}\nP0;\n"+code+";\nexists (0:EAX=0 /\\ x=0)\n")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var loops = []struct {
	what, code string
	spins      []int // instructions whose jump back only spins
}{
	{"none", "MOV EAX,[x]; MOV [x],$1", nil},
	{"waits for x", "L: MOV EBX,[x]; CMP EBX,$1; JNE L; MOV EAX,[y]", []int{2}},
	{"waits with a pause", "L: PAUSE; MOV EBX,[x]; CMP EBX,$1; JNE L", []int{3}},
	{"waits for x and for y", "L: MOV EBX,[x]; TEST EBX,EBX; JZ L; M: MOV ECX,[y]; TEST ECX,ECX; JZ M", []int{2, 5}},
	{"waits for either", "L: MOV EBX,[x]; CMP EBX,$1; JE M; MOV EBX,[y]; CMP EBX,$1; JNE L; M: MOV EAX,$1", []int{5}},
	{"two ways round", "L: MOV EBX,[x]; CMP EBX,$0; JE L; CMP EBX,$1; JE L", []int{2, 4}},
	{"waits in a loop that waits", "L: MOV ECX,[y]; M: MOV EBX,[x]; CMP EBX,$1; JNE M; CMP ECX,$1; JNE L", []int{3, 5}},
	{"jumped to at its head", "JMP L; L: MOV EBX,[x]; CMP EBX,$1; JNE L", []int{3}},
	{"fences", "L: MFENCE; MOV EBX,[x]; CMP EBX,$1; JNE L", []int{3}},
	{"keeps what it read", "L: MOV EAX,[x]; CMP EAX,$1; JNE L; MOV EBX,EAX", []int{2}},

	{"stores", "L: MOV [y],$1; MOV EBX,[x]; CMP EBX,$1; JNE L", nil},
	{"exchanges", "L: MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L", nil},
	{"counts", "L: INC EAX; MOV EBX,[x]; CMP EBX,$1; JNE L", nil},
	{"counts down", "MOV ECX,[y]; L: DEC ECX; JNZ L", nil},
	{"uses what the last round read", "L: MOV ECX,EBX; MOV EBX,[x]; CMP EBX,ECX; JNE L", nil},
	{
		"leaves behind the first read of a round",
		"L: CMP EAX,$0; JNE M; MOV EAX,[x]; M: MOV EBX,[y]; CMP EBX,$1; JNE L",
		nil,
	},
	{"entered in the middle", "MOV EBX,$0; JMP M; L: MOV EBX,[x]; M: CMP EBX,$1; JNE L", nil},
	{"part of a loop that stores", "L: MOV [y],$1; M: MOV EBX,[x]; CMP EBX,$1; JNE M; CMP EBX,$2; JNE L", []int{3}},
	{"jumps back further", "K: MOV [y],$1; L: MOV EBX,[x]; CMP EBX,$2; JE K; CMP EBX,$1; JNE L", nil},
}

func TestSpins(t *testing.T) {
	for _, l := range loops {
		p := thread(t, l.code)
		u, cut := ir.Unroll(p, 2, ir.Waits{Reads: true})
		if cut != strings.Contains(l.code, "J") || cut == (u == p) {
			t.Errorf("%s: cut %v", l.what, cut)
		}
		code := u.Threads[0].Code
		var got []int
		for _, s := range code {
			b, ok := s.Op.(ir.Branch)
			if !ok {
				continue
			}
			if b.Target < len(code) && code[b.Target].Op == (ir.Unwound{Spin: true}) &&
				!slices.Contains(got, s.Source) {
				got = append(got, s.Source)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, l.spins) {
			t.Errorf("%s: instructions %v spin, want %v", l.what, got, l.spins)
		}
	}
}

// A fence that the model does not let the engine omit stays, with its loop.
func TestKeptFences(t *testing.T) {
	for _, c := range []struct {
		kept ir.Tags
		cut  bool
	}{
		{nil, true},
		{ir.Tags{"F"}, false},
		{ir.Tags{"MFENCE"}, false},
		{ir.Tags{"SFENCE"}, true},
	} {
		p := thread(t, "L: MFENCE; MOV EBX,[x]; CMP EBX,$1; JNE L")
		if got := p.Waits(ir.Waits{Reads: true, Kept: c.kept}); got != c.cut {
			t.Errorf("%v are kept: cut %v, want %v", c.kept, got, c.cut)
		}
	}
}

// One failing round of each loop remains, and of a loop within another, one in each of two.
func TestOneFailingRound(t *testing.T) {
	for _, c := range []struct {
		code  string
		reads int
	}{
		{"L: MOV EBX,[x]; CMP EBX,$1; JNE L", 2},
		{"L: MOV EBX,[x]; CMP EBX,$1; JNE L; M: MOV EBX,[y]; CMP EBX,$1; JNE M", 4},
		{"L: MOV ECX,[y]; M: MOV EBX,[x]; CMP EBX,$1; JNE M; CMP ECX,$1; JNE L", 6},
		{"L: MOV EBX,[x]; CMP EBX,$0; JE L; CMP EBX,$1; JE L", 2},
	} {
		u, _ := ir.Unroll(thread(t, c.code), 2, ir.Waits{Reads: true, Once: true})
		reads := 0
		for _, s := range u.Threads[0].Code {
			if _, ok := s.Op.(ir.Load); ok {
				reads++
			}
			if b, ok := s.Op.(ir.Branch); ok && b.Target < len(u.Threads[0].Code) &&
				u.Threads[0].Code[b.Target].Op == (ir.Unwound{}) {
				t.Errorf("%s: is unrolled", c.code)
			}
		}
		if reads != c.reads {
			t.Errorf("%s: %d reads, want %d", c.code, reads, c.reads)
		}
	}
}

// A loop spins, too, that repeats only if its own store-conditional has failed.
func TestRetries(t *testing.T) {
	for _, l := range []struct {
		what, code string
		spins      bool
	}{
		{"retries", "L: lr.w x6,(x1); sc.w x8,x5,(x1); bne x8,x0,L", true},
		{"computes and retries", "L: lr.w x6,(x1); add x7,x6,x5; sc.w x8,x7,(x1); bne x8,x0,L", true},
		{"leaves at the top", "L: lr.w x6,(x1); bne x6,x0,M; sc.w x8,x5,(x1); bne x8,x0,L; M:", true},
		{"waits for the lock, then takes it", "L: lr.w x6,(x1); bne x6,x0,L; sc.w x8,x5,(x1); bne x8,x0,L", true},
		{
			"jumps over something else",
			"L: lr.w x6,(x1); bne x6,x0,M; add x7,x6,x5; M: fence rw,rw; sc.w x8,x5,(x1); bne x8,x0,L", true,
		},
		{
			"compares and exchanges until it succeeds",
			"L: li x9,0; K: lr.w x6,(x1); bne x6,x9,M; sc.w x8,x5,(x1); bne x8,x0,K; M: bne x6,x9,L; li x9,0", true,
		},
		{"jumps out, or back", "L: lr.w x6,(x1); sc.w x8,x5,(x1); beq x8,x0,M; j L; M:", true},

		{"goes round on success", "L: lr.w x6,(x1); sc.w x8,x5,(x1); beq x8,x0,L", false},
		{
			"goes round on success, by the other branch", "L: lr.w x6,(x1); sc.w x8,x5,(x1); beq x8,x0,L; bne x8,x0,L",
			false,
		},
		{"goes round either way", "L: lr.w x6,(x1); sc.w x8,x5,(x1); bne x6,x0,L", false},
		{"has its reservation from before", "lr.w x6,(x1); L: sc.w x8,x5,(x1); bne x8,x0,L", false},
		{
			"retries with the reservation that it has", "L: lr.w x6,(x1); K: sc.w x8,x5,(x1); bne x8,x0,K; bne x6,x0,L",
			false,
		},
		{
			"compares and exchanges until it fails",
			"L: li x9,0; K: lr.w x6,(x1); bne x6,x9,M; sc.w x8,x5,(x1); bne x8,x0,K; M: beq x6,x9,L; li x9,0", false,
		},
		{"stores beside", "L: lr.w x6,(x1); sw x5,0(x2); sc.w x8,x5,(x1); bne x8,x0,L", false},
		{"counts its rounds", "L: addi x9,x9,1; lr.w x6,(x1); sc.w x8,x5,(x1); bne x8,x0,L", false},
		{"has two", "L: lr.w x6,(x1); sc.w x7,x5,(x1); lr.w x6,(x1); sc.w x8,x5,(x1); bne x8,x0,L", false},
		{"may skip the load", "L: bne x6,x0,M; lr.w x6,(x1); M: sc.w x8,x5,(x1); bne x8,x0,L", false},
	} {
		p, err := dialect.Parse("t",
			"RISCV T\n{ 0:x1=x; 0:x2=y; 0:x5=1; }\nP0;\n"+strings.ReplaceAll(l.code, "; ", ";\n")+
				";\nexists (0:x9=0 /\\ x=0)\n")
		if err != nil {
			t.Fatalf("%s: %v", l.what, err)
		}
		u, _ := ir.Unroll(p, 2, ir.Waits{Reads: true})
		bound := slices.ContainsFunc(u.Threads[0].Code, func(s ir.Step) bool {
			b, ok := s.Op.(ir.Branch)
			return ok && b.Target < len(u.Threads[0].Code) && u.Threads[0].Code[b.Target].Op == (ir.Unwound{})
		})
		if bound == l.spins {
			t.Errorf("%s: spins %v, want %v", l.what, !bound, l.spins)
		}
	}
}

// A loop only reads that is over wherever its compare-and-exchange succeeds.
func TestTakes(t *testing.T) {
	for _, l := range []struct {
		what, code string
		spins      bool
	}{
		{"compares and exchanges", "while (cmpxchg(x, 0, 1) != 0);", true},
		{"sets what it expects anew", "int e; do { e = 0; } while (!atomic_compare_exchange_weak(a, &e, 1));", true},
		{"and behind the first round", "int e = 0; while (!atomic_compare_exchange_strong(a, &e, 1)) e = 0;", true},
		{"tries a lock", "while (!spin_trylock(l));", true},
		{"waits for a value of a local", "int r = 0; while (r == 0) r = READ_ONCE(*x);", true},
		{"leaves by break", "for (;;) { if (cmpxchg(x, 0, 1) == 0) break; }", true},

		{"goes round on success", "while (cmpxchg(x, 0, 1) == 0);", false},
		{"goes round either way", "int r; do { cmpxchg(x, 0, 1); r = READ_ONCE(*y); } while (r == 0);", false},
		{"keeps what it has found", "int e = 0; while (!atomic_compare_exchange_strong(a, &e, 1));", false},
		{"exchanges", "while (xchg(x, 1));", false},
		{"counts", "int n = 0; while (cmpxchg(x, 0, 1)) n++; WRITE_ONCE(*y, n);", false},
	} {
		p, err := dialect.Parse("t",
			"C T\n{}\nP0(int *x, int *y, atomic_int *a, spinlock_t *l) {\n"+l.code+"\n}\nexists (x=0)\n")
		if err != nil {
			t.Fatalf("%s: %v", l.what, err)
		}
		u, _ := ir.Unroll(p, 2, ir.Waits{Reads: true})
		code := u.Threads[0].Code
		bound := slices.ContainsFunc(code, func(s ir.Step) bool {
			b, ok := s.Op.(ir.Branch)
			return ok && b.Target < len(code) && code[b.Target].Op == (ir.Unwound{})
		})
		if bound == l.spins {
			t.Errorf("%s: spins %v, want %v", l.what, !bound, l.spins)
		}
	}
}

// A loop waits for a lock where it writes back what it finds there while another thread
// has it.
func TestLocks(t *testing.T) {
	for _, l := range []struct {
		what, code, other string
		waits             bool
	}{
		{"exchanges", "L: MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L", "MOV [x],$0", true},
		{
			"exchanges what was set before", "MOV ECX,$1; L: MOV EBX,ECX; XCHG EBX,[x]; CMP EBX,$0; JNE L",
			"MOV [x],$0", true,
		},
		{
			"looks first", "L: MOV EBX,[x]; CMP EBX,$0; JNE L; MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L",
			"MOV [x],$0", true,
		},
		{
			"compares and exchanges", "L: MOV EAX,$0; MOV EBX,$1; LOCK CMPXCHG [x],EBX; JNE L; MOV EAX,$0",
			"MOV [x],$0", true,
		},

		{"exchanges another number", "L: MOV EBX,$2; XCHG EBX,[x]; CMP EBX,$0; JNE L", "MOV [x],$1", false},
		{"finds a number that is not its own", "L: MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L", "MOV [x],$2", false},
		{
			"finds any number", "L: MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L",
			"MOV EAX,[y]; INC EAX; MOV [y],EAX; MOV [x],EAX", false,
		},
		{"exchanges back and forth", "MOV EBX,$1; L: XCHG EBX,[x]; CMP EBX,$0; JNE L", "MOV [x],$0", false},
		{"counts", "L: MOV EBX,$1; LOCK XADD [x],EBX; CMP EBX,$0; JNE L", "MOV [x],$0", false},
		{"goes round when it has the lock", "L: MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$1; JNE L", "MOV [x],$0", false},
		{
			"may not have been set", "CMP EAX,$0; JE L; MOV ECX,$1; L: MOV EBX,ECX; XCHG EBX,[x]; CMP EBX,$0; JNE L",
			"MOV [x],$0", false,
		},
		{"stores beside", "L: MOV [y],$1; MOV EBX,$1; XCHG EBX,[x]; CMP EBX,$0; JNE L", "MOV [x],$0", false},
	} {
		source := "X86 T\n{}\nP0|P1;\n"
		mine, others := strings.Split(l.code, "; "), strings.Split(l.other, "; ")
		for i := range max(len(mine), len(others)) {
			cell := func(list []string) string {
				if i < len(list) {
					return list[i]
				}
				return ""
			}
			source += cell(mine) + "|" + cell(others) + ";\n"
		}
		p, err := dialect.Parse("t", source+"exists (0:EAX=0 /\\ x=0)\n")
		if err != nil {
			t.Fatalf("%s: %v", l.what, err)
		}
		u, _ := ir.Unroll(p, 2, ir.Waits{Reads: true, Locks: true})
		code := u.Threads[0].Code
		bound := slices.ContainsFunc(code, func(s ir.Step) bool {
			b, ok := s.Op.(ir.Branch)
			return ok && b.Target < len(code) && code[b.Target].Op == (ir.Unwound{})
		})
		if bound == l.waits {
			t.Errorf("%s: waits %v, want %v", l.what, !bound, l.waits)
		}
	}
}

// What a wider write puts where a lock is, nobody has followed.
func TestLocksInPieces(t *testing.T) {
	p, err := dialect.Parse("t", `X86_64 T
{ uint64_t x=0x100000000; 0:rdi=x; 1:rdi=x; 1:rax=0x200000002; }
 P0                 | P1               ;
 L: movl $1,%ebx    | movq %rax,(%rdi) ;
 xchgl %ebx,4(%rdi) | movl $0,4(%rdi)  ;
 cmpl $0,%ebx       |                  ;
 jne L              |                  ;
exists (0:rbx=0)
`)
	if err != nil {
		t.Fatal(err)
	}
	if _, cut := ir.Unroll(p, 2, ir.Waits{Reads: true, Locks: true}); !cut {
		t.Error("a loop that may overwrite what it finds is taken for one that waits")
	}
}

// An unrolled thread does what the thread does, whatever it reads, until it has jumped
// back in a loop more often than the bound.
func TestUnroll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, l := range loops {
		p := thread(t, l.code)
		for bound := range 4 {
			u, _ := ir.Unroll(p, bound, ir.Waits{})
			for pc, s := range u.Threads[0].Code {
				if b, ok := s.Op.(ir.Branch); ok && b.Target <= pc {
					t.Errorf("%s: step %d jumps back to %d", l.what, pc, b.Target)
				}
			}
			for range 50 {
				reads := make([]uint64, 100)
				for i := range reads {
					reads[i] = random.Uint64N(3)
				}
				want, got := trace(t, p, reads, bound), trace(t, u, reads, bound)
				if got != want {
					t.Fatalf("%s, bound %d, reading %v: got\n%s\nwant\n%s", l.what, bound, reads, got, want)
				}
			}
		}
	}
}

// trace runs the only thread of p on the given read values, step by step, up to more than bound jumps back in a loop
// and those that it overlaps with.
func trace(t *testing.T, p *ir.Program, reads []uint64, bound int) string {
	var b strings.Builder
	th := p.Threads[0]
	regs := make([]uint64, len(th.Regs))
	eval := func(e ir.Expr, old uint64) uint64 { return p.Eval(e, regs, old) }
	read := func() uint64 {
		v := reads[0]
		reads = reads[1:]
		return v
	}
	around := func(pc int) (first int) { // the loops around a step begin here
		first = pc
		for again := true; again; {
			again = false
			for at, s := range th.Code {
				if b, ok := s.Op.(ir.Branch); ok && b.Target < first && first <= at {
					first, again = b.Target, true
				}
			}
		}
		return first
	}
	jumps := map[int]int{}
	for pc := 0; pc < len(th.Code); pc++ {
		switch op := th.Code[pc].Op.(type) {
		case ir.Assign:
			regs[op.Dst] = eval(op.Value, 0)
		case ir.Load:
			fmt.Fprintf(&b, "R %x; ", eval(op.Addr, 0))
			regs[op.Dst] = read()
		case ir.Store:
			fmt.Fprintf(&b, "W %x %x; ", eval(op.Addr, 0), eval(op.Value, 0))
		case ir.RMW:
			old := read()
			fmt.Fprintf(&b, "RMW %x %x; ", eval(op.Addr, 0), eval(op.New, old))
			regs[op.Dst] = old
		case ir.Fence:
			b.WriteString("F; ")
		case ir.Branch:
			if op.Cond != nil && eval(op.Cond, 0) == 0 {
				continue
			}
			if op.Target <= pc {
				if jumps[around(pc)]++; jumps[around(pc)] > bound {
					return b.String() + "unwound"
				}
			}
			pc = op.Target - 1
		case ir.Unwound:
			return b.String() + "unwound"
		}
	}
	for _, o := range p.Observed {
		if o.Thread >= 0 {
			fmt.Fprintf(&b, "%s=%x", o.Name, regs[o.Index])
		}
	}
	return b.String()
}

func TestCursorErrors(t *testing.T) {
	for code, want := range map[string]string{
		"MOV EBX,$0; MOV EAX,[EBX]": "t:4:13: P0 accesses address 0x0, which is not a location",
		"MOV EAX,[x+4]":             "t:4:1: P0 accesses address 0x5d000004, which is not a location",
		"NOP; L: JMP L":             "t:4:6: thread P0 loops forever without a memory access",
	} {
		_, err := ir.NewCursor(thread(t, code), 0, false).Next()
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", code, err, want)
		}
	}
}

// What a selection or a compare-and-swap gives is no obstacle to finding out which values
// a lock may have.
func TestSpinBesideSelection(t *testing.T) {
	p, err := dialect.Parse("t", `AArch64 T
{ 0:X1=x; 0:X3=1; 1:X1=x; 1:X3=1; }
P0               | P1                 ;
L: SWP W3,W5,[X1] | LDR W5,[X1]       ;
CBNZ W5,L        | CMP W5,#1          ;
                 | CSEL W6,W5,W3,EQ   ;
                 | CAS W6,W3,[X1]     ;
                 | CSINC W6,W5,W3,EQ  ;
                 | STR W6,[X1]        ;
exists (1:X6=1)
`)
	if err != nil {
		t.Fatal(err)
	}
	u, cut := ir.Unroll(p, 2, ir.Waits{Reads: true, Locks: true})
	if !cut || u == p {
		t.Error("the loop is not cut")
	}
}

// A counting loop runs to its end, if that is not far, and every other one at most bound rounds.
func TestTrips(t *testing.T) {
	const most = ir.MostTrips
	for _, l := range []struct {
		what, code string
		trips      int // stores to x in the unrolled code, less one
	}{
		{"down", "MOV ECX,$10; L: MOV [x],ECX; DEC ECX; JNZ L", 9},
		{"up", "L: MOV [x],EAX; INC EAX; CMP EAX,$5; JL L", 4},
		{"as far as it may", fmt.Sprintf("MOV ECX,$%d; L: MOV [x],ECX; DEC ECX; JNZ L", most+1), most},
		{"too far", fmt.Sprintf("MOV ECX,$%d; L: MOV [x],ECX; DEC ECX; JNZ L", most+2), 2},
		{"less than the bound", "MOV ECX,$2; L: MOV [x],ECX; DEC ECX; JNZ L", 1},
		// and once more than it stores
		{"looks first", "MOV ECX,$4; L: CMP ECX,$0; JE M; MOV [x],ECX; DEC ECX; JMP L; M: MOV EAX,$1", 4},
		{"may be left", "MOV ECX,$4; L: MOV [x],ECX; MOV EBX,[y]; CMP EBX,$1; JE M; DEC ECX; JNZ L; M: MOV EAX,$1", 3},
		{
			"two ways within",
			"MOV ECX,$4; L: MOV EBX,[y]; CMP EBX,$1; JE M; MOV EAX,$1; M: MOV [x],EAX; DEC ECX; JNZ L",
			3,
		},
		{"one in another", "MOV EDX,$3; K: MOV ECX,$2; L: MOV [x],ECX; DEC ECX; JNZ L; DEC EDX; JNZ K", 5},
		{"steps that depend on memory", "MOV ECX,$4; L: MOV [x],ECX; SUB ECX,[y]; CMP ECX,$0; JNE L", 2},
		{"a number from memory", "MOV ECX,[y]; L: MOV [x],ECX; DEC ECX; JNZ L", 2},
		{"without end", "L: MOV [x],EAX; INC EAX; JMP L", 2},
		{
			"behind one of them",
			"MOV ECX,[y]; K: MOV [y],ECX; DEC ECX; JNZ K; MOV ECX,$4; L: MOV [x],ECX; DEC ECX; JNZ L", 3,
		},
		{
			"a number that a loop has changed",
			"MOV EDX,$4; MOV ECX,[y]; K: INC EDX; DEC ECX; MOV [y],ECX; JNZ K; L: MOV [x],ECX; DEC EDX; JNZ L", 2,
		},
		{"from the middle on", "MOV ECX,$4; JMP M; L: MOV [y],ECX; M: MOV [x],ECX; DEC ECX; JNZ L", 3},
	} {
		p := thread(t, l.code)
		u, _ := ir.Unroll(p, 2, ir.Waits{Reads: true})
		stores := -1
		for _, s := range u.Threads[0].Code {
			if op, ok := s.Op.(ir.Store); ok && op.Addr == (ir.Addr{Loc: loc(t, p, "x"), Bits: 32}) {
				stores++
			}
		}
		if stores != l.trips {
			t.Errorf("%s: %d jumps back, want %d", l.what, stores, l.trips)
		}
	}
}

func loc(t *testing.T, p *ir.Program, name string) int {
	i := slices.IndexFunc(p.Locs, func(l ir.Location) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("there is no location %s", name)
	}
	return i
}
