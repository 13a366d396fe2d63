package cyclediagram

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
)

// fataler is what tests and rapid's have in common.
type fataler interface {
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

func parse(t fataler, arch, text string) cycle.Cycle {
	c, err := cycle.ParseCycle(arch, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// find is the choice of a label; the test ends where there is none.
func (m Menu) find(t testing.TB, label string) Choice {
	t.Helper()
	var all []string
	for _, g := range m.Groups {
		for _, c := range g.Choices {
			if c.Label == label {
				return c
			}
			all = append(all, c.Label)
		}
	}
	t.Fatalf("%s has no %s, but %s", m.Title, label, strings.Join(all, ", "))
	return Choice{}
}

func TestEdgeMenu(t *testing.T) {
	for _, c := range []struct {
		arch, cycle  string
		at           int
		label        string
		want         string
		instead, why string
	}{
		{"X86", "PodWR Fre PodWR Fre", 0, "MFencedWR", "MFencedWR Fre PodWR Fre", "", ""},
		{"X86", "PodWR Fre PodWR Fre", 0, "PodWW", "PodWW Wse PodWR Fre", "Wse for Fre", ""},
		{"X86", "PodWW Wse PodWR Fre", 2, "PodRR", "PodWW Rfe PodRR Fre", "Rfe for Wse", ""},
		{"X86", "PodWR Fre PodWR Fre", 1, "Wse", "PodWW Wse PodWR Fre", "PodWW for PodWR", ""},
		{"X86", "PodWR Fre PodWR Fre", 0, "Rmw", "", "", "only PodWR goes to another location, and no edge returns: " +
			"a cycle has at least two edges with a d, or none"},
		{
			"X86", "PodWR Fre PodWR Fre", 1, "FrLeave", "", "",
			"FrLeave leaves its thread, but no Back after it returns",
		},
		{"PPC", "Rfe DpAddrdR Fre LwSyncdWW", 0, "Wse", "", "", "Wse ends in a write, DpAddrdR begins at a read"},
		{"X86", "PodWW Rfe PodRR Fre", 0, "Rfe PodRW", "Rfe PodRW Rfe PodRR Fre", "", ""},
		{"X86", "PodWR Fre PodWR Fre PodWR Fre", 2, "Remove PodWR Fre", "PodWR Fre PodWR Fre", "", ""},
		{"X86", "PodWR Fre PodWR Fre", 0, "Remove PodWR", "", "", "Fre ends in a write, Fre begins at a read"},
		{"AArch64", "PodWWPL RfeLA PodRRAP Fre", 0, "DMB.SYdWWPL", "DMB.SYdWWPL RfeLA PodRRAP Fre", "", ""},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 0, "DMB.SYdWWw0h2",
			"DMB.SYdWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "", "",
		},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 0, "PodWRw0h2", "PodWRw0h2 Hath2w0 PodRRw0w0 Frew0w0",
			"Hath2w0 for Rfeh2w0", "",
		},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 1, "DetourW", "", "",
			"DetourWh2w0 does not give the size of the write in its middle: write its two edges, as in FrLeave and " +
				"RfBack",
		},
	} {
		got := EdgeMenu(c.arch, parse(t, c.arch, c.cycle), c.at).find(t, c.label)
		if got.Cycle != c.want || strings.Join(got.Instead, ", ") != c.instead || got.Why != c.why {
			t.Errorf("%s, edge %d, %s: %+v", c.cycle, c.at, c.label, got)
		}
	}
}

func TestEventMenu(t *testing.T) {
	for _, c := range []struct {
		arch, cycle string
		at          int
		label       string
		want        string
		why         string
	}{
		{"X86", "PodWR Fre PodWR Fre", 1, "a write", "PodWW Wse PodWR Fre", ""},
		{"X86", "PodWW Rfe PodRR Fre", 2, "PodRW Rfe", "PodWW Rfe PodRW Rfe PodRR Fre", ""},
		{"X86", "PodWR Fre PodWR Fre", 1, "PodRR", "PodWR PodRR Fre PodWR Fre", ""},
		{"PPC", "Rfe DpAddrdR Fre LwSyncdWW", 1, "a write", "", "DpAddrdR begins at a read"},
		{"AArch64", "PodWW Rfe PodRR Fre", 1, "a write, L", "PodWWPL RfeLP PodRR Fre", ""},
		{"AArch64", "PodWWPL RfeLP PodRR Fre", 1, "a write", "PodWW Rfe PodRR Fre", ""},
		{"AArch64", "PodWW Rfe PodRR Fre", 1, "h2", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", ""},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 2, "w4", "",
			"Rfeh2w4: its ends, h2 and w4, have no byte in common",
		},
		{"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 2, "no sizes", "PodWW Rfe PodRR Fre", ""},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 1, "a write, L",
			"PodWWw0Lh2 RfeLh2w0 PodRRw0w0 Frew0w0", "",
		},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", 2, "PodRWw0w0 Rfew0w0",
			"PodWWw0h2 Rfeh2w0 PodRWw0w0 Rfew0w0 PodRRw0w0 Frew0w0", "",
		},
		{
			"AArch64", "Rfe Amo.Swp Rfe PodRR Fre PodWW", 1, "b0",
			"Rfew0b0 Amo.Swpb0b0 Rfeb0w0 PodRRw0w0 Frew0w0 PodWWw0w0", "",
		},
	} {
		got := EventMenu(c.arch, parse(t, c.arch, c.cycle), c.at).find(t, c.label)
		if got.Cycle != c.want || got.Why != c.why {
			t.Errorf("%s, access %d, %s: %+v", c.cycle, c.at, c.label, got)
		}
	}
}

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ from, text, to, want, lost string }{
		{"X86", "MFencedWR Fre MFencedWR Fre", "PPC", "SyncdWR Fre SyncdWR Fre", ""},
		{"PPC", "SyncdWR Fre SyncdWR Fre", "AArch64", "DMB.SYdWR Fre DMB.SYdWR Fre", ""},
		{"AArch64", "DMB.SYdWR Fre DMB.SYdWR Fre", "RISCV", "Fence.rw.rwdWR Fre Fence.rw.rwdWR Fre", ""},
		{"RISCV", "Fence.rw.rwdWR Fre Fence.rw.rwdWR Fre", "X86_64", "MFencedWR Fre MFencedWR Fre", ""},
		{"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "PPC", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", ""},
		{
			"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "C", "PodWWRlxRlx RfeRlxRlx PodRRRlxRlx FreRlxRlx",
			"accesses use whole locations: litmus tests of C do not support all of these sizes",
		},
		{"AArch64", "PodWWPL RfeLA PodRRAP Fre", "RISCV", "PodWWPRl RfeRlAq PodRRAqP Fre", ""},
		{
			"AArch64", "PodWWPL RfeLA PodRRAP Fre", "X86", "PodWW Rfe PodRR Fre",
			"PodWWPL became PodWW: litmus tests of X86 have no such annotation; RfeLA became Rfe: litmus tests of " +
				"X86 have no such annotation; PodRRAP became PodRR: litmus tests of X86 have no such annotation",
		},
		{
			"PPC", "LwSyncdWW Rfe DpAddrdR Fre", "X86", "PodWW Rfe PodRR Fre",
			"LwSyncdWW became PodWW: litmus tests of X86 have no equivalent; DpAddrdR became PodRR: " +
				"litmus tests of X86 have no equivalent",
		},
	} {
		got, lost := Translate(c.from, c.to, parse(t, c.from, c.text))
		if got.String() != c.want || strings.Join(lost, "; ") != c.lost {
			t.Errorf("%s %s in %s: %s, lost %q", c.from, c.text, c.to, got, lost)
		}
	}
}

// walk presses parts of rings at random.
func walk(t *rapid.T) (string, cycle.Cycle) {
	arch := rapid.SampledFrom(cycle.Archs()).Draw(t, "arch")
	c := parse(t, arch, "PodWR Fre PodWR Fre")
	for range rapid.IntRange(0, 8).Draw(t, "presses") {
		i := rapid.IntRange(0, len(c)-1).Draw(t, "part")
		m := EdgeMenu(arch, c, i)
		if rapid.Bool().Draw(t, "access") {
			m = EventMenu(arch, c, i)
		}
		var can []Choice
		for _, g := range m.Groups {
			can = append(can, g.Possible()...)
		}
		if len(can) > 0 {
			c = parse(t, arch, rapid.SampledFrom(can).Draw(t, "choice").Cycle)
		}
	}
	return arch, c
}

// Whatever can be chosen is a cycle, with a test that can be read and a ring on which
// nothing lies over anything else; and in another dialect it is one, too.
func TestWhatCanBeChosen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arch, c := walk(t)
		r, err := Read(Request{Arch: arch, Cycle: c.String()})
		if err != nil || r.Errors != nil {
			t.Fatalf("%s %s: %v, %v", arch, c, r.Errors, err)
		}
		if r.Cycle.String() != c.String() {
			t.Errorf("%s is read as %s", c, r.Cycle)
		}
		if r.Why == "" {
			if _, err := dialect.Parse("test", r.Source); err != nil {
				t.Errorf("%s %s: %v\n%s", arch, c, err, r.Source)
			}
		}
		checkRings(t, arch, c)
		into := rapid.SampledFrom(cycle.Archs()).Draw(t, "into")
		out, _ := Translate(arch, into, c)
		if again, err := cycle.ParseCycle(into, out.String()); err != nil || again.String() != out.String() {
			t.Errorf("%s %s in %s: %s, which is read as %v, %v", arch, c, into, out, again, err)
		}
	})
}

// A name of a thread that would stand between the two halves of a flat ring.
func TestNamesStandFree(t *testing.T) {
	checkRings(t, "LKMM",
		parse(t, "LKMM", "PosWW Rfe FenceRmbdRR PodRRPDeref FenceRmbdRRDerefP PodRRPAcquire FenceRmbsRRAcquireP Fre"))
}

// An access at the side of a ring for a phone that leaves the name in the middle less room than the ring does.
func TestNamesHaveRoom(t *testing.T) {
	c := parse(t, "AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0")
	checkRings(t, "AArch64", c)
	if _, tall := Draw("AArch64", c); tall == nil || tall.Inside(c.Name()) == nil {
		t.Error("the ring for a phone has no name")
	}
}

// checkRings checks that nothing of a cycle's drawings is over anything else or outside.
func checkRings(t fataler, arch string, c cycle.Cycle) {
	round, tall := Draw(arch, c)
	rings := []Drawing{round}
	if tall != nil {
		rings = append(rings, *tall)
		if tall.Width > Narrow {
			t.Errorf("%s: the ring for a phone is %.0f wide", c, tall.Width)
		}
	} else if round.Width > Narrow && !slices.ContainsFunc(round.boxes(), func(b box) bool { return b.w > 120 }) {
		t.Errorf("%s: the ring is %.0f wide, and there is none for a phone", c, round.Width)
	}
	for _, d := range rings {
		if !d.fits() {
			t.Errorf("%s: the ring of radii %.0f and %.0f is too small", c, d.RX, d.RY)
		}
		for _, name := range d.Threads {
			if slices.ContainsFunc(d.boxes(), nameBox(name.X, name.Y).over) {
				t.Errorf("%s: %s is under something else", c, name.Label)
			}
		}
		for _, l := range d.Inside(c.Name()) {
			if slices.ContainsFunc(d.boxes(), box{y: l.Y, w: 0.6 * l.Size * float64(len(l.Text)), h: l.Size}.over) {
				t.Errorf("%s: %s is under something else", c, l.Text)
			}
		}
		for _, b := range d.boxes() {
			if b.x-b.w/2 < -d.Width/2 || b.x+b.w/2 > d.Width/2 || b.y-b.h/2 < -d.Height/2 || b.y+b.h/2 > d.Height/2 {
				t.Errorf("%s: something is drawn outside of the picture", c)
			}
		}
	}
}

func TestReadFamily(t *testing.T) {
	r, err := Read(
		Request{
			Arch: "X86",
			Family: &Family{
				Relaxations: "Rfe Fre Wse Pod**", Min: 4, Max: 4, Show: 2, Most: 1000,
				Within: time.Second,
			},
		})
	if err != nil || r.Errors != nil {
		t.Fatal(r.Errors, err)
	}
	// SB, MP, LB, S, R, 2+2W.
	if r.Count != 6 || !r.Whole || len(r.Members) != 2 {
		t.Errorf("%d cycles, whole %v: %v", r.Count, r.Whole, r.Members)
	}
	for _, bad := range []struct{ list, want string }{
		{"Rfe Foo", "cycle:1:5: X86 has no relaxation Foo: litmuscope gen --arch X86 --words lists those that it has"},
		{"", "cycle:1:1: the list is empty: want relaxations such as " + cycle.Standard("X86")},
	} {
		r, err := Read(
			Request{Arch: "X86", Family: &Family{Relaxations: bad.list, Min: 4, Max: 4, Most: 1, Within: time.Second}})
		if err != nil || r.Errors.Error() != bad.want {
			t.Errorf("%q: %v, %v", bad.list, r.Errors, err)
		}
	}
}
