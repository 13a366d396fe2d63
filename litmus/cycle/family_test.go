package cycle

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func familyOf(t testing.TB, arch, relaxations string, least, most int) []Cycle {
	t.Helper()
	list, err := ParseRelaxations(arch, relaxations)
	if err != nil {
		t.Fatal(err)
	}
	var all []Cycle
	if err := Family(context.Background(), list, least, most, func(c Cycle) error {
		all = append(all, c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFamily(t *testing.T) {
	for _, test := range []struct{ list, sizes, want string }{
		{"Pod** Fre Rfe Wse", "2..4", "MP LB S SB R 2+2W"},
		{"Pod** Fre Rfe Wse", "5..5", "RWC WRR+2W WRC WWC WRW+WR WRW+2W"},
		{"Pos** Fre Rfe Wse", "2..4", "CoRW1 CoWR CoWW CoRR CoRW2"},
		{"PodWR MFencedWR Fre", "4..4", "SB SB+mfence+po SB+mfences"},
		{"PodWR [Rfi,PodRR] Fre", "4..6", "SB SB+po+rfi-po 3.SB SB+rfi-pos"},
		{"PodWR PodRR Rfi Fre", "4..6", "SB SB+po+rfi-po 3.SB SB+rfi-pos"},
		{"[PodWW,PodWR] [PodWR,PodRR] Fre", "6..6", "SB+po-pos SB+po-pos001 SB+po-pos002"},
		{"Fre Wse", "2..6", ""},
	} {
		least, most := int(test.sizes[0]-'0'), int(test.sizes[3]-'0')
		names := make(Names)
		var got []string
		for _, c := range familyOf(t, "X86", test.list, least, most) {
			got = append(got, names.Of(c))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.list, strings.Join(got, " "), test.want)
		}
	}
}

func TestFamilyEnds(t *testing.T) {
	list, err := ParseRelaxations("PPC", "Pod** Syncd** LwSyncd** DpAddrd* Rfe Fre Wse")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	found := 0
	err = Family(ctx, list, 4, 20, func(Cycle) error {
		if found++; found == 1000 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %d", err, found)
	}
	full := errors.New("the disk is full")
	if err := Family(context.Background(), list, 4, 4, func(Cycle) error { return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if err := Family(context.Background(), list, 5, 4, nil); err == nil {
		t.Error("sizes from 5 to 4 are taken")
	}
}

// TestFamilyIsComplete holds the family of plain accesses against the paper's definition,
// by trying every round of accesses.
func TestFamilyIsComplete(t *testing.T) {
	for size := 3; size <= 7; size++ {
		var got []string
		for _, c := range familyOf(t, "X86", "Pod** Fre Rfe Wse", size, size) {
			got = append(got, c.String())
		}
		want := critical(size)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d accesses: %d cycles, want %d:\n%q\n%q", size, len(got), len(want), got, want)
		}
	}
}

// critical makes the critical cycles with a number of accesses, as Alglave, Maranget and
// Tautschnig define them: a thread has at most two accesses, next to each other in the
// cycle and of different locations; a location has at most three, of different threads,
// next to each other, which read, write or both as w-w, w-r, r-w, w-w-r or r-w-r.
func critical(size int) []string {
	seen := map[string]bool{}
	for bits := range 1 << (2 * size) {
		c := make(Cycle, size)
		moves := 0
		for i := range c {
			from, to := Access{Write: bits>>i&1 == 1}, Access{Write: bits>>((i+1)%size)&1 == 1}
			if bits>>(size+i)&1 == 1 {
				c[i] = Edge{Kind: Po, From: from, To: to}
				moves++
				continue
			}
			kinds := map[[2]bool]Kind{{true, true}: Co, {true, false}: Rf, {false, true}: Fr, {false, false}: Hat}
			c[i] = Edge{Kind: kinds[[2]bool{from.Write, to.Write}], Turn: Across, Same: true, From: from, To: to}
		}
		if moves < 2 {
			continue
		}
		good := true
		for i := range c {
			if c[i].Kind == Po && c[(i+1)%size].Kind == Po {
				good = false
			}
			if c[i].Kind != Po {
				continue
			}
			location := c[(i+1)%size].From.letter()
			for n := 1; c[(i+n)%size].Kind != Po; n++ {
				location += c[(i+n)%size].To.letter()
			}
			good = good && slices.Contains([]string{"WW", "WR", "RW", "WWR", "RWR"}, location)
		}
		if good {
			seen[c.Canonical().String()] = true
		}
	}
	var all []string
	for text := range seen {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// TestFamilyOfComposites compares families with all rows of their relaxations, each judged by itself.
func TestFamilyOfComposites(t *testing.T) {
	for _, test := range []struct{ arch, list string }{
		{"X86", "Pod*R MFencedWR [Rfi,PodRR] Rmw Rfi Fre Wse Rfe"},
		{"X86", "PodW* PodRR Pos** Wsi Fri Rfi Fre Wse Rfe"},
		{"PPC", "LwSyncdWW DpAddrdR [Rfe,SyncdRW] [PodWW,Rfi] [DpAddrdR,PodRR] [FrLeave,RfBack] " +
			"[FrLeave,RfBack,DpAddrdR] Rfe Fre"},
		{"AArch64", "PodWWPL PodRRAP PodWRLA Rfe Fre Wse"},
	} {
		list, err := ParseRelaxations(test.arch, test.list)
		if err != nil {
			t.Fatal(err)
		}
		for size := 3; size <= 6; size++ {
			want := map[string]bool{}
			var rows func(row [][]Edge, left int)
			rows = func(row [][]Edge, left int) {
				if left == 0 && judge(row) {
					c := Cycle(slices.Concat(row...))
					c.adopt()
					if c.Check() == nil {
						want[c.Canonical().String()] = true
					}
				}
				for _, r := range list {
					if n := len(row); len(r) <= left &&
						(n == 0 || row[n-1][len(row[n-1])-1].To.Write == r[0].From.Write) {
						rows(append(slices.Clone(row), r), left-len(r))
					}
				}
			}
			rows(nil, size)
			got := familyOf(t, test.arch, test.list, size, size)
			for _, c := range got {
				if !want[c.String()] {
					t.Errorf("%s: %s is not critical", test.list, c)
				}
				delete(want, c.String())
			}
			for c := range want {
				t.Errorf("%s: %s is missing", test.list, c)
			}
		}
	}
}

// judge tells whether a round of relaxations is critical: it turns the round until a
// thread begins, and goes through it once.
func judge(row [][]Edge) bool {
	var edges []Edge
	var of []int
	for i, r := range row {
		for _, e := range r {
			edges, of = append(edges, e), append(of, i)
		}
	}
	begin := slices.IndexFunc(edges, Edge.External) + 1
	turn := func(i int) int { return (begin + i) % len(edges) }
	ordered := func(e Edge) bool { return !e.Com() && e.Kind != Rmw }

	together := map[[2]Kind]bool{
		{Co, Co}: true, {Co, Fr}: true, {Fr, Co}: true, {Fr, Fr}: true, {Rf, Fr}: true,
		{Rf, Co}: true, {Rf, Rf}: true,
	}
	stays, moves, step := 0, 0, -1
	busy := map[int]bool{} // threads in which there is more than one access
	thread := 0
	for i := range edges {
		e, next := edges[turn(i)], edges[turn(i+1)]
		if of[turn(i)] != of[turn(i+1)] {
			written := e.Turn == Inside && len(row[of[turn(i)]]) > 1 || next.Turn == Inside &&
				len(row[of[turn(i+1)]]) > 1
			if e.To.Write != next.From.Write || together[[2]Kind{e.Kind, next.Kind}] && !written {
				return false
			}
		}
		if ordered(e) {
			if step >= 0 && step != of[turn(i)] {
				return false
			}
			step = of[turn(i)]
			if e.Same && len(row[step]) == 1 {
				stays++
			}
		}
		if !e.Same {
			moves++
		}
		if e.External() {
			step = -1
			thread++
		} else {
			busy[thread] = true
		}
	}
	if moves == 0 {
		return len(busy) == 1
	}
	return stays == 0
}

func BenchmarkFamily(b *testing.B) {
	for _, arch := range []string{"X86", "PPC", "AArch64", "RISCV"} {
		b.Run(arch, func(b *testing.B) {
			cycles := 0
			for b.Loop() {
				cycles = len(familyOf(b, arch, Standard(arch), 3, 6))
			}
			b.ReportMetric(float64(cycles), "cycles")
		})
	}
}

// TestStandard makes a family of each dialect's own list.
func TestStandard(t *testing.T) {
	for _, arch := range Archs() {
		if n := len(familyOf(t, arch, Standard(arch), 4, 4)); n < 20 {
			t.Errorf("%s: %d cycles of four accesses", arch, n)
		}
	}
}
