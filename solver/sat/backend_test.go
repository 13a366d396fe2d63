package sat

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver/proof"
)

// ways lists every available backend, with proofs and without.
func ways(t *testing.T) (out []Options) {
	for _, b := range backends {
		if _, err := exec.LookPath(b.name); err != nil && Outside(b.name) {
			t.Logf("%s is not on the PATH: it is not tested", b.name)
			continue
		}
		out = append(out, Options{Backend: b.name})
		if b.proofs {
			out = append(out, Options{Backend: b.name, Certify: true})
		}
	}
	return out
}

const clauseVars = 8

func drawClauses(t *rapid.T, c *Circuit) (vars []Lit, clauses [][]Lit) {
	for range clauseVars {
		vars = append(vars, c.Var())
		c.Define(vars[len(vars)-1])
	}
	for range rapid.IntRange(20, 45).Draw(t, "clauses") {
		var clause []Lit
		for range rapid.IntRange(2, 3).Draw(t, "length") {
			l := rapid.SampledFrom(vars).Draw(t, "variable")
			if rapid.Bool().Draw(t, "negated") {
				l = l.Not()
			}
			clause = append(clause, l)
		}
		clauses = append(clauses, clause)
		c.Assert(clause...)
	}
	return vars, clauses
}

// solutions counts the assignments that satisfy clauses, by trying all.
func solutions(vars []Lit, clauses [][]Lit) (n int) {
	for a := range 1 << len(vars) {
		if !slices.ContainsFunc(clauses, func(c []Lit) bool {
			return !slices.ContainsFunc(c,
				func(l Lit) bool { return a>>slices.Index(vars, Lit(l.v()))&1 == 1 == (l > 0) })
		}) {
			n++
		}
	}
	return n
}

// Each backend says what trying all assignments says, with assumptions, without, and
// with clauses added; and its proofs, where it writes them, pass.
func TestBackends(t *testing.T) {
	options := ways(t)
	rapid.Check(t, func(t *rapid.T) {
		c := NewCircuit()
		vars, clauses := drawClauses(t, c)
		assume := []Lit{vars[0], vars[1].Not()}
		later := [][]Lit{{vars[2]}, {vars[3], vars[4].Not()}, {vars[5], vars[5]}}
		for _, o := range options {
			s := c.Solver(o)
			check := func(what string, all [][]Lit, assume ...Lit) {
				want := Unsat
				for _, l := range assume {
					all = append(slices.Clip(all), []Lit{l})
				}
				if solutions(vars, all) > 0 {
					want = Sat
				}
				got, err := s.Solve(context.Background(), assume...)
				if got != want || err != nil {
					t.Fatalf("%+v: %s: got %v, %v, want %v", o, what, got, err, want)
				}
				if certified := s.Refutation != nil; certified != (o.Certify && want == Unsat) {
					t.Errorf("%+v: %s: certified %v", o, what, certified)
				}
			}
			check("under assumptions", clauses, assume...)
			check("without", clauses)
			for _, l := range later {
				s.Add(l...)
			}
			check("with more clauses", append(slices.Clip(clauses), later...))
			check("with more clauses, under assumptions", append(slices.Clip(clauses), later...), assume...)
		}
	})
}

// pigeons has n+1 pigeons and n holes, which is hard to refute.
func pigeons(n int) *Circuit {
	c := NewCircuit()
	in := make([][]Lit, n+1)
	for p := range in {
		for range n {
			in[p] = append(in[p], c.Var())
		}
		c.Assert(in[p]...)
	}
	for h := range n {
		for p := range in {
			for q := range p {
				c.Assert(in[p][h].Not(), in[q][h].Not())
			}
		}
	}
	return c
}

func TestRefutation(t *testing.T) {
	for _, o := range ways(t) {
		if !o.Certify {
			continue
		}
		s := pigeons(5).Solver(o)
		for range 2 { // the second time, it relies on the first check
			status, err := s.Solve(t.Context())
			if status != Unsat || err != nil || s.Refutation == nil {
				t.Fatalf("%s: %v, %v, %v", o.Backend, status, err, s.Refutation)
			}
		}
		s = pigeons(5).Solver(o)
		_, _ = s.Solve(t.Context())
		if r := s.Refutation; r.Lemmas < 5 || r.Bytes < 20 || r.Check <= 0 {
			t.Errorf("%s: %+v", o.Backend, *r)
		}
	}
}

// liar is gophersat as a bug might have it.
type liar struct {
	Backend
	status func(Status) Status
	model  func() []bool
	lemmas func([]proof.Step) []proof.Step
}

func (l *liar) Solve(ctx context.Context, assume []int) (Status, error) {
	s, err := l.Backend.Solve(ctx, assume)
	if l.status != nil {
		s = l.status(s)
	}
	return s, err
}

func (l *liar) Model() []bool {
	if l.model != nil {
		return l.model()
	}
	return l.Backend.Model()
}

func (l *liar) Proof() (proofSteps, int64, error) {
	in, bytes, err := l.Backend.Proof()
	var steps []proof.Step
	for s, readErr := range in {
		if readErr != nil {
			return nil, 0, readErr
		}
		s.Lits = slices.Clone(s.Lits)
		steps = append(steps, s)
	}
	if l.lemmas != nil {
		steps = l.lemmas(steps)
	}
	return func(yield func(proof.Step, error) bool) {
		for _, s := range steps {
			if !yield(s, nil) {
				return
			}
		}
	}, bytes, err
}

// lie has a circuit solved by a liar, who may change the problem too.
func lie(t *testing.T, c *Circuit, l *liar, problem func(*Problem)) (*Solver, Status, error) {
	t.Helper()
	honest := backends[0].open
	defer func() { backends[0].open = honest }()
	backends[0].open = func(p Problem) (Backend, error) {
		if problem != nil {
			problem(&p)
		}
		var err error
		l.Backend, err = honest(p)
		return l, err
	}
	s := c.Solver(Options{Certify: true})
	status, err := s.Solve(t.Context())
	return s, status, err
}

// No answer passes that is not one, whatever a backend makes of it.
func TestNoAnswerIsBelieved(t *testing.T) {
	easy := func() *Circuit { // every clause matters, and so does one lemma
		c := NewCircuit()
		x, y, z := c.Var(), c.Var(), c.Var()
		for i := range 8 {
			flip := func(l Lit, bit int) Lit {
				if i>>bit&1 == 1 {
					return l.Not()
				}
				return l
			}
			c.Assert(flip(x, 0), flip(y, 1), flip(z, 2))
		}
		return c
	}
	satisfiable := func() *Circuit {
		c := NewCircuit()
		c.Assert(c.Var(), c.Var())
		return c
	}
	nothing := func() []bool { return nil }
	for _, test := range []struct {
		name    string
		circuit *Circuit
		liar    liar
		problem func(*Problem)
		want    string
	}{
		{"the truth", easy(), liar{}, nil, ""},
		{"a wrong assignment", satisfiable(), liar{model: nothing}, nil, "does not satisfy the clauses"},
		{
			"a wrong yes", pigeons(3),
			liar{status: func(Status) Status { return Sat }, model: nothing},
			nil,
			"does not satisfy the clauses",
		},
		{
			"a wrong no", satisfiable(),
			liar{status: func(Status) Status { return Unsat }},
			nil,
			"it ends without a contradiction",
		},
		{
			"no proof", easy(),
			liar{lemmas: func([]proof.Step) []proof.Step { return nil }},
			nil,
			"it ends without a contradiction",
		},
		{
			"the contradiction alone", easy(),
			liar{lemmas: func([]proof.Step) []proof.Step { return []proof.Step{{}} }},
			nil,
			"lemma 1, [], does not follow",
		},
		{
			"a variable that is none", easy(),
			liar{lemmas: func([]proof.Step) []proof.Step { return []proof.Step{{Lits: []int32{9}}} }},
			nil,
			"literal 9 belongs to no variable",
		},
		{
			"a clause that nobody gave", satisfiable(),
			liar{},
			func(p *Problem) { p.Clauses = append(p.Clauses, []int{1, -2}, []int{-1, 2}, []int{-1, -2}) }, "lemma",
		},
	} {
		_, status, err := lie(t, test.circuit, &test.liar, test.problem)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		if status != Unknown || err == nil || !strings.HasPrefix(err.Error(), "BUG: ") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, %v, want %q", test.name, status, err, test.want)
		}
	}
}

// Of a proof, many a lemma may be missing or be stronger, but not all; and a formula
// that misses a clause has a solution here, so that no proof of it passes.
func TestDamagedProofs(t *testing.T) {
	var whole []proof.Step
	keep := liar{lemmas: func(s []proof.Step) []proof.Step { whole = s; return s }}
	if _, _, err := lie(t, pigeons(4), &keep, nil); err != nil || len(whole) < 5 {
		t.Fatalf("%d lemmas: %v", len(whole), err)
	}
	rejected := map[string]int{}
	for i := range whole {
		for name, change := range map[string]func(*proof.Step){
			"dropped": func(s *proof.Step) { s.Delete = true },
			"too strong": func(s *proof.Step) {
				s.Lits = s.Lits[:max(0, len(s.Lits)-1)]
			},
		} {
			damage := liar{lemmas: func(s []proof.Step) []proof.Step { change(&s[i]); return s }}
			if _, status, err := lie(t, pigeons(4), &damage, nil); errors.Is(err, proof.ErrRejected) &&
				status == Unknown {
				rejected[name]++
			} else if err != nil || status != Unsat {
				t.Errorf("%s %d: %v, %v", name, i, status, err)
			}
		}
	}
	t.Logf("of %d lemmas, rejected: %v", len(whole), rejected)
	if rejected["dropped"] == 0 || rejected["too strong"] == 0 {
		t.Errorf("of %d lemmas, rejected: %v", len(whole), rejected)
	}
	for i := range pigeons(4).clauses {
		c := pigeons(4)
		c.clauses = slices.Delete(c.clauses, i, i+1)
		full := pigeons(4).Solver(Options{})
		full.simplify()
		told := func(p *Problem) {
			p.Clauses = nil
			for _, clause := range full.clauses {
				p.Clauses = append(p.Clauses, full.translate(nil, clause))
			}
		}
		if _, status, err := lie(t, c, &liar{}, told); status != Unknown || !errors.Is(err, proof.ErrRejected) {
			t.Errorf("without clause %d: %v, %v", i, status, err)
		}
	}
}

// Clauses beside the circuit's are part of the formula: appended clauses, constants, and assumptions.
func TestRefutationOfAll(t *testing.T) {
	c := NewCircuit()
	x, y := c.Var(), c.Var()
	c.Define(x)
	c.Define(y)
	c.Assert(x, y)
	s := c.Solver(Options{Certify: true})
	s.Add(x.Not(), False)
	for _, test := range []struct {
		assume []Lit
		want   Status
	}{
		{nil, Sat},
		{[]Lit{y.Not()}, Unsat},
		{[]Lit{False}, Unsat},
		{[]Lit{x.Not(), True}, Sat},
		{[]Lit{y, y.Not()}, Unsat},
	} {
		status, err := s.Solve(t.Context(), test.assume...)
		if status != test.want || err != nil || (s.Refutation != nil) != (status == Unsat) {
			t.Errorf("%v: %v, %v, %v", test.assume, status, err, s.Refutation)
		}
	}
}

func TestAbsentBackend(t *testing.T) {
	t.Setenv("PATH", "")
	for name, want := range map[string]string{
		"cadical": "the solver cadical is not on the PATH: install it (apt-get install cadical",
		"kissat":  "or choose auto, which is built in",
		"magic":   `unknown solver "magic": want one of auto, gophersat, cdcl, cadical, kissat, minisat`,
	} {
		status, err := pigeons(2).Solver(Options{Backend: name}).Solve(t.Context())
		if status != Unknown || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", name, status, err, want)
		}
	}
	if _, err := pigeons(2).Solver(Options{Backend: "minisat", Certify: true}).Solve(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "minisat writes no proofs") {
		t.Error(err)
	}
}

// A program ends with the context, and at its memory limit.
func TestProgramsEnd(t *testing.T) {
	for _, o := range ways(t) {
		if o.Backend == "gophersat" {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		status, err := pigeons(14).Solver(o).Solve(ctx)
		cancel()
		if status != Unknown || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v: %v, %v", o, status, err)
		}
	}
}

func TestReadModel(t *testing.T) {
	for text, want := range map[string][]bool{
		"c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n": {true, false, true},
		"SAT\n-1 2 3 0\n":                         {false, true, true},
		"s SATISFIABLE\nv 4 0\n":                  nil,
		"s SATISFIABLE\nv x 0\n":                  nil,
	} {
		got, err := readModel(bytes.NewReader([]byte(text)), 3)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// Formulas that take some thousand conflicts, some of which have solutions: proofs and assignments pass, whatever
// clauses the solver forgets and shortens meanwhile.
func TestThousandsOfConflicts(t *testing.T) {
	n := 12
	if testing.Short() {
		n = 4
	}
	r := rand.New(rand.NewPCG(7, 8))
	said := map[Status]int{}
	for i := range n {
		c := NewCircuit()
		vars := make([]Lit, 150)
		for i := range vars {
			vars[i] = c.Var()
		}
		for range 4*len(vars) + 40*(i%4) {
			var clause []Lit
			for range 3 {
				l := vars[r.IntN(len(vars))]
				if r.IntN(2) == 0 {
					l = l.Not()
				}
				clause = append(clause, l)
			}
			c.Assert(clause...)
		}
		status, err := c.Solver(Options{Backend: "cdcl", Certify: true}).Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		said[status]++
	}
	if said[Sat] == 0 || said[Unsat] == 0 {
		t.Errorf("the answers were %v", said)
	}
	if status, err := pigeons(8).Solver(Options{Backend: "cdcl", Certify: true}).Solve(t.Context()); status != Unsat ||
		err != nil {
		t.Error(status, err)
	}
}

var (
	formulas = flag.Int("formulas", 2000,
		"on how many random formulas solvers are held against one another; -short takes a tenth")
	seed = flag.Uint64("seed", 1, "which formulas these are")
)

// On random formulas of gates and clauses, under assumptions, and with appended clauses, both built-in solvers agree;
// refutations have proofs that pass, and every assignment passes its check.
func TestSolversAgree(t *testing.T) {
	count := *formulas
	if testing.Short() {
		count /= 10
	}
	r := rand.New(rand.NewPCG(*seed, 3))
	said := map[Status]int{}
	for i := range count {
		c := NewCircuit()
		vars := make([]Lit, 3+r.IntN(40))
		for i := range vars {
			vars[i] = c.Var()
			c.Define(vars[i])
		}
		pick := func() Lit {
			l := vars[r.IntN(len(vars))]
			if r.IntN(2) == 0 {
				return l.Not()
			}
			return l
		}
		for range r.IntN(5) {
			a, b, d := pick(), pick(), pick()
			g := []Lit{c.And(a, b), c.Xor(a, b), c.Ite(a, b, d)}[r.IntN(3)]
			c.Define(g)
			vars = append(vars, g)
		}
		m := int(float64(len(vars)) * (2 + 3*r.Float64()))
		for range m {
			var clause []Lit
			for range 2 + r.IntN(3) {
				clause = append(clause, pick())
			}
			c.Assert(clause...)
		}
		own, theirs := c.Solver(Options{Backend: "cdcl", Certify: true}), c.Solver(Options{Backend: "gophersat"})
		inc := c.Solver(Options{Backend: "cdcl"})
		for range 1 + r.IntN(3) {
			var assume []Lit
			for range r.IntN(3) {
				assume = append(assume, pick())
			}
			a, err := own.Solve(t.Context(), assume...)
			b, err2 := theirs.Solve(t.Context(), assume...)
			d, err3 := inc.Solve(t.Context(), assume...)
			if a != b || a != d || err != nil || err2 != nil || err3 != nil {
				t.Fatalf("formula %d of seed %d: gophersat says %v, cdcl %v with proofs and %v without: %v", i, *seed,
					b, a, d, errors.Join(err, err2, err3))
			}
			said[a]++
			more := []Lit{pick(), pick(), pick()}[:1+r.IntN(3)]
			own.Add(more...)
			theirs.Add(more...)
			inc.Add(more...)
		}
	}
	t.Logf("%d formulas: %v", count, said)
}
