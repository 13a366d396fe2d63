package executions_test

import (
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/executions"
)

func program(t testing.TB, arch, source string) *ir.Program {
	t.Helper()
	p, _, err := engines.Prepared(
		solver.Task{Source: source, Model: models.Default(arch), Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// vocabulary is that of an architecture's classic tests.
func vocabulary(t testing.TB, arch string) *executions.Vocabulary {
	t.Helper()
	v := &executions.Vocabulary{}
	for _, e := range catalogue.All() {
		if dialect.Tongue(e.Source) == arch && !e.System() {
			if p := program(t, arch, e.Source); !p.Split {
				v.Add(p)
			}
		}
	}
	return v
}

func model(t testing.TB, name string) *models.Model {
	t.Helper()
	m, err := models.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// smallest is the number of events of the smallest execution that one model forbids and the other allows, 0 if there is
// none so small.
func smallest(t testing.TB, left, right *models.Model, v *executions.Vocabulary, most int) int {
	t.Helper()
	for n := 1; n <= most; n++ {
		f, err := executions.Distinguish(t.Context(), left, right, true, v, n)
		if err != nil {
			t.Fatal(err)
		}
		if f != nil {
			return n
		}
	}
	return 0
}

// Known facts about models: how many events it takes to distinguish them. The models' own checker has confirmed each
// execution as well.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		arch, left, right string
		most, want        int
	}{
		{"X86", "sc", "tso", 5, 4}, // SB, R
		{"X86", "tso", "sc", 5, 0},
		{"X86", "tso", "pso", 5, 4}, // MP
		{"X86", "pso", "rmo", 4, 3}, // CoRR
		{"X86", "tso", "tso~uniproc", 3, 2},
		{"X86", "tso", "tso~atomicity", 4, 3},
		{"RISCV", "riscv", "riscv~atomicity", 3, 3},
		{"AArch64", "aarch64", "arm", 4, 4},
		{"PPC", "power", "power", 4, 0},
		{"C", "rc11", "c11-psc", 4, 4}, // LB
		{"C", "c11-psc", "c11", 3, 0},
		{"LKMM", "lkmm", "lkmm~atomic", 3, 3},
	} {
		if got := smallest(t, model(t, c.left), model(t, c.right), vocabulary(t, c.arch), c.most); got != c.want {
			t.Errorf("%s forbids, %s allows: %d events, want %d", c.left, c.right, got, c.want)
		}
	}
}

// The search omits no execution of a program: where a test tells a model from one without an axiom, some execution of
// no more events does.
func TestNoneIsLeftOut(t *testing.T) {
	for _, arch := range []string{"X86", "RISCV", "AArch64", "PPC", "C"} {
		whole := model(t, models.Default(arch))
		words := vocabulary(t, arch)
		for _, axiom := range whole.Axioms {
			less, err := whole.Less([]string{axiom.Name})
			if err != nil {
				t.Fatal(err)
			}
			least := 0
			for _, e := range catalogue.All() {
				if dialect.Tongue(e.Source) != arch || e.System() {
					continue
				}
				n := events(program(t, arch, e.Source))
				if n == 0 || n > 5 || least > 0 && n >= least {
					continue
				}
				if verdict(t, e.Source, whole.Name) == solver.Forbidden &&
					verdict(t, e.Source, less.Name) == solver.Allowed {
					least = n
				}
			}
			if least == 0 {
				continue
			}
			if got := smallest(t, whole, less, words, least); got == 0 {
				t.Errorf("%s: a test of %d events tells, and no execution does", less.Name, least)
			}
		}
	}
}

// events are how many those of a program without branches has; 0 for another.
func events(p *ir.Program) (n int) {
	for _, t := range p.Threads {
		for _, s := range t.Code {
			switch s.Op.(type) {
			case ir.Assign:
			case ir.Load, ir.Store, ir.Fence, ir.Pick, ir.StoreCond:
				n++
			case ir.RMW:
				n += 2
			default:
				return 0
			}
		}
	}
	return n
}

func verdict(t testing.TB, source, model string) solver.Verdict {
	t.Helper()
	r, err := solver.Ask(t.Context(), engines.Local{},
		solver.Task{Source: source, Model: model, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatal(err)
	}
	return r.Verdict
}

// The search rejects what an execution cannot show.
func TestRefused(t *testing.T) {
	v := vocabulary(t, "X86")
	for _, text := range []string{
		"\"Last writes\"\nempty FW as last\n",
		"\"An order of all\"\nwith S from linearisations(M, po)\nacyclic S | rf as s\n",
		"\"Values\"\nempty different-values(rf) as values\n",
	} {
		m, err := models.Parse("refused", text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := executions.Distinguish(t.Context(), m, model(t, "sc"), true, v, 2); err == nil {
			t.Errorf("%q is asked about", text)
		}
	}
}

// Words that no model tells apart are one.
func TestVocabulary(t *testing.T) {
	v := vocabulary(t, "X86")
	c, err := cycle.ParseCycle("X86", "PodWR Fre PodWR Fre")
	if err != nil {
		t.Fatal(err)
	}
	source, err := cycle.Generate("X86", c, "SB")
	if err != nil {
		t.Fatal(err)
	}
	few := &executions.Vocabulary{}
	few.Add(program(t, "X86", source))
	if got := smallest(t, model(t, "pso"), model(t, "rmo"), few, 4); got != 3 {
		t.Errorf("coherence of reads takes %d events", got)
	}
	if got := smallest(t, model(t, "tso"), model(t, "tso~atomicity"), few.And(v), 3); got != 3 {
		t.Errorf("an update that is broken into takes %d events", got)
	}
	if got := smallest(t, model(t, "tso"), model(t, "tso~atomicity"), few, 3); got != 0 {
		t.Errorf("there are no updates, and one is broken into in %d events", got)
	}
}
