package proof

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// refute checks a proof of clauses, both in DIMACS' text.
func refute(vars int, clauses [][]int32, proof iter.Seq2[Step, error]) error {
	c := NewChecker(vars)
	for _, clause := range clauses {
		c.Add(clause)
	}
	_, err := c.Refute(context.Background(), proof)
	return err
}

func parse(t *testing.T, text string) (out [][]int32) {
	t.Helper()
	for s, err := range ReadText(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, slices.Clone(s.Lits))
	}
	return out
}

const (
	two = "1 2 0 1 -2 0 -1 2 0 -1 -2 0 "
	// The last clause blocks every solution that adding 1 could lose, because for such a solution alone 1 would be a
	// lemma.
	three = "1 2 3 0 1 2 -3 0 1 -2 3 0 1 -2 -3 0 -1 2 3 0 -1 2 -3 0 -1 -2 3 0 -1 -2 -3 0 -1 5 6 0 "
)

func TestRefute(t *testing.T) {
	for _, test := range []struct{ name, clauses, proof, want string }{
		{"one lemma", two, "1 0", ""},
		{"what comes after a contradiction", two, "1 0 0 5 0", ""},
		{"three lemmas", three, "1 2 0 1 0 2 0", ""},
		{"repeated literals", three, "2 1 2 0 1 1 0 2 0", ""},
		{"a tautology", three, "1 -1 0 1 2 0 1 0 2 0", ""},
		{"nothing to prove", "1 0 -1 2 0 -2 0", "", ""},
		{"an empty clause", "1 2 0 0", "", ""},

		{"no lemma", two, "", "it ends without a contradiction"},
		{"the first lemma is missing", three, "1 0 2 0", "lemma 1, [1], does not follow"},
		{"the second lemma is missing", three, "1 2 0 2 0", "it ends without a contradiction"},
		{"the last lemma is missing", three, "1 2 0 1 0", "it ends without a contradiction"},
		{"a lemma too strong", three, "1 0 1 2 0 2 0", "lemma 1, [1], does not follow"},
		{"the strongest lemma of all", three, "1 2 0 0", "lemma 2, [], does not follow"},
		{"a solution", "1 2 0", "1 0 2 0 0", "lemma 3, [], does not follow"},
		{"no such variable", two, "1 9 0", "lemma 1: literal 9 belongs to no variable"},
		{"no proof", two, "1 x 0", `step 1: got "x", want a literal`},
		{"half a proof", two, "1", "the proof ends within a clause"},

		{"a deletion", three, "1 2 0 d 1 2 3 0 1 0 2 0", ""},
		{"what was deleted is needed", three, "d 3 2 1 0 1 2 0 1 0 2 0", "lemma 1, [1 2], does not follow"},
		{"one of two is deleted", three + "1 2 3 0", "d 1 2 3 0 1 2 0 1 0 2 0", ""},
		{"both of two are deleted", three + "3 1 2 0", "d 1 2 3 0 d 1 2 3 0 1 2 0", "lemma 1, [1 2], does not follow"},
		{"there is nothing to delete", three, "d 1 2 0 1 2 0 1 0 2 0", ""},
		{"a lemma is deleted", three, "1 2 0 d 1 2 0 1 0", "lemma 2, [1], does not follow"},
		{"what made a literal true is deleted", two, "1 0 d 1 0", ""},

		// Variable 4 becomes another name for that 1 and 2 are true: no clause follows, and no solution disappears.
		{"a definition", three, "4 -1 -2 0 -4 1 0 -4 2 0 1 2 0 1 0 2 0", ""},
		{"a definition that says more", three, "4 -1 -2 0 -4 1 0 4 0", "lemma 3, [4], does not follow"},
		{"the pivot comes first", "1 2 0 -1 3 0", "4 -1 -2 0 1 -4 0", "lemma 2, [1 -4], does not follow"},
		// 2 is false, which a clause that is true by it, and not kept, has to say.
		{"a pivot that is false", "-2 0 1 3 0 -2 1 0", "2 4 0", "lemma 1, [2 4], does not follow"},
	} {
		got := ""
		if err := refute(6, parse(t, test.clauses), ReadText(strings.NewReader(test.proof))); err != nil {
			got = err.Error()
			if !errors.Is(err, ErrRejected) {
				t.Errorf("%s: %v is not ErrRejected", test.name, err)
			}
		}
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Of the clauses of a minimal formula, none may be missing.
func TestRefuteMissingClause(t *testing.T) {
	clauses, lemmas := parse(t, three), "1 2 0 1 0 2 0"
	for i := range clauses[:8] {
		without := slices.Delete(slices.Clone(clauses), i, i+1)
		if err := refute(6, without, ReadText(strings.NewReader(lemmas))); !errors.Is(err, ErrRejected) {
			t.Errorf("without %v: %v", clauses[i], err)
		}
	}
}

func TestRefuteCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := NewChecker(2)
	for _, clause := range parse(t, two) {
		c.Add(clause)
	}
	if _, err := c.Refute(ctx, ReadText(strings.NewReader("1 0"))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Deleted clauses free their space, and the checker still finds the rest.
func TestTidy(t *testing.T) {
	const vars = 300
	c := NewChecker(vars)
	for _, clause := range parse(t, three+"1 2 0") {
		c.Add(clause)
	}
	_, err := c.Refute(context.Background(), func(yield func(Step, error) bool) {
		for round := range 3 {
			for v := int32(4); v < vars; v++ {
				for w := v + 1; w < vars; w++ {
					if !yield(Step{Lits: []int32{w, 1, v, 2}}, nil) || (v+w)%7 > 0 &&
						!yield(Step{Delete: true, Lits: []int32{1, 2, v, w}}, nil) {
						return
					}
				}
			}
			if len(c.ints) > 300_000 {
				t.Errorf("round %d: %d ints", round, len(c.ints))
			}
		}
		_ = yield(Step{Delete: true, Lits: []int32{1, 2, 4, 6}}, nil) && yield(Step{Lits: []int32{1}}, nil) &&
			yield(Step{Lits: []int32{2}}, nil)
	})
	if err != nil {
		t.Error(err)
	}
}

const fewVars = 5

func drawClause(t *rapid.T, longest int) []int32 {
	var out []int32
	for range rapid.IntRange(1, longest).Draw(t, "length") {
		out = append(out,
			rapid.Int32Range(1, fewVars).Draw(t, "variable")*(1-2*rapid.Int32Range(0, 1).Draw(t, "negated")))
	}
	return out
}

// satisfiable tries every assignment.
func satisfiable(clauses [][]int32) bool {
	for a := range int32(1 << fewVars) {
		if !slices.ContainsFunc(clauses, func(c []int32) bool {
			return !slices.ContainsFunc(c, func(l int32) bool { return a>>(max(l, -l)-1)&1 == 1 == (l > 0) })
		}) {
			return true
		}
	}
	return false
}

// prove appends the lemmas of a search without learning: each negated decision follows.
func prove(clauses [][]int32, decided []int32, lemmas []Step) []Step {
	var lemma []int32
	for _, l := range decided {
		lemma = append(lemma, -l)
	}
	if !naive(clauses, lemma) {
		v := int32(len(decided) + 1)
		lemmas = prove(clauses, append(slices.Clone(decided), v), lemmas)
		lemmas = prove(clauses, append(slices.Clone(decided), -v), lemmas)
	}
	slices.Reverse(lemma)
	return append(lemmas, Step{Lits: lemma})
}

// naive reports whether propagation from false literals reaches a contradiction.
func naive(clauses [][]int32, lits []int32) bool { return naively(clauses, lits) == nil }

// naively gives what is true if literals are false, by looking at all clauses over and
// over, or nil upon a contradiction.
func naively(clauses [][]int32, lits []int32) map[int32]bool {
	is := map[int32]bool{}
	for _, l := range lits {
		is[-l] = true
	}
	for _, l := range lits {
		if is[l] {
			return nil
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range clauses {
			open := map[int32]bool{}
			for _, l := range c {
				if !is[-l] {
					open[l] = true
				}
			}
			if slices.ContainsFunc(c, func(l int32) bool { return is[l] }) || len(open) > 1 {
				continue
			}
			if len(open) == 0 {
				return nil
			}
			for l := range open {
				is[l], changed = true, true
			}
		}
	}
	return is
}

// A proof by search passes for its own formula; and after any change to a proof or a formula, a passing proof refutes a
// formula without solutions.
func TestRefuteProperty(t *testing.T) {
	passed, rejected := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var clauses [][]int32
		for range rapid.IntRange(4, 40).Draw(t, "clauses") {
			clauses = append(clauses, drawClause(t, 4))
		}
		var proof []Step
		if !satisfiable(clauses) {
			proof = prove(clauses, nil, nil)
			if err := refute(fewVars, clauses, steps(proof)); err != nil {
				t.Fatalf("%v: %v: %v", clauses, proof, err)
			}
		}
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			i := rapid.IntRange(0, max(0, len(proof)-1)).Draw(t, "where")
			switch change := rapid.IntRange(0, 5).Draw(t, "change"); {
			case change == 0:
				clauses = slices.Delete(clauses, i%len(clauses), i%len(clauses)+1)
				if len(clauses) == 0 {
					clauses = [][]int32{{1}}
				}
			case change == 1 || len(proof) == 0:
				s := Step{Lits: drawClause(t, 3), Delete: rapid.Bool().Draw(t, "delete")}
				proof = slices.Insert(proof, i, s)
			case change == 2:
				proof = slices.Insert(proof, i, Step{Delete: true, Lits: clauses[i%len(clauses)]})
			case change == 3:
				proof = slices.Delete(proof, i, i+1)
			case len(proof[i].Lits) > 0:
				lits := slices.Clone(proof[i].Lits)
				if k := i % len(lits); change == 4 {
					lits = slices.Delete(lits, k, k+1)
				} else {
					lits[k] = -lits[k]
				}
				proof[i].Lits = lits
			}
		}
		if err := refute(fewVars, clauses, steps(proof)); err != nil {
			rejected++
		} else if passed++; satisfiable(clauses) {
			t.Fatalf("%v has a solution, and passes with %v", clauses, proof)
		}
	})
	if passed == 0 || rejected == 0 {
		t.Errorf("%d passed, %d were rejected", passed, rejected)
	}
}

// For every lemma that passes, naive propagation finds it, or finds every resolvent on its pivot.
func TestFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewChecker(fewVars)
		var clauses [][]int32
		for range rapid.IntRange(1, 16).Draw(t, "clauses") {
			clause := drawClause(t, 4)
			if _, tautology, _ := c.normalise(clause); !tautology {
				clauses = append(clauses, clause)
				c.Add(clause)
			}
		}
		for range 8 {
			lemma := drawClause(t, 3)
			lits, tautology, err := c.normalise(lemma)
			if err != nil {
				t.Fatal(err)
			}
			if c.refuted || tautology {
				continue
			}
			want := naive(clauses, lemma)
			if pivot := lemma[0]; !want && !naively(clauses, nil)[-pivot] {
				want = true
				for _, d := range clauses {
					if slices.Contains(d, -pivot) {
						rest := slices.DeleteFunc(slices.Clone(d), func(l int32) bool { return l == -pivot })
						want = want && naive(clauses, append(rest, lemma...))
					}
				}
			}
			got := c.follows(slices.Clone(lits))
			if got != want {
				t.Fatalf("%v from %v: %v, want %v", lemma, clauses, got, want)
			}
			if got {
				clauses = append(clauses, lemma)
				c.Add(lemma)
			}
		}
	})
}

func steps(proof []Step) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		for _, s := range proof {
			if !yield(s, nil) {
				return
			}
		}
	}
}

// binary writes a proof in the format that ReadBinary reads.
func binary(proof []Step) []byte {
	var b []byte
	for _, s := range proof {
		kind := byte('a')
		if s.Delete {
			kind = 'd'
		}
		b = append(b, kind)
		for _, l := range s.Lits {
			n := uint32(code(l))
			for ; n >= 0x80; n >>= 7 {
				b = append(b, byte(n)|0x80)
			}
			b = append(b, byte(n))
		}
		b = append(b, 0)
	}
	return b
}

func read(r iter.Seq2[Step, error]) (out []Step, err error) {
	for s, err := range r {
		if err != nil {
			return out, err
		}
		s.Lits = slices.Clone(s.Lits)
		out = append(out, s)
	}
	return out, nil
}

// A proof that Read accepts survives writing and reading again. Nothing that is no proof does harm.
func FuzzReadBinary(f *testing.F) {
	f.Add(binary([]Step{{Lits: []int32{1, -2, 1 << 30}}, {Delete: true, Lits: []int32{-64, 63}}, {}}))
	f.Add([]byte("a\xff\xff\xff\xff\x0f\x00"))
	f.Add([]byte("a\xff\xff\xff\xff\xff\x00"))
	f.Add([]byte("a\x01\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		proof, err := read(ReadBinary(bytes.NewReader(data)))
		again, errAgain := read(ReadBinary(bytes.NewReader(binary(proof))))
		if errAgain != nil ||
			!slices.EqualFunc(proof, again,
				func(a, b Step) bool { return a.Delete == b.Delete && slices.Equal(a.Lits, b.Lits) }) {
			t.Errorf("%v (%v) became %v (%v)", proof, err, again, errAgain)
		}
		_ = refute(8, [][]int32{{1, 2}, {-1, 3}}, ReadBinary(bytes.NewReader(data)))
	})
}

func FuzzReadText(f *testing.F) {
	f.Add("1 -2 0\nd 3 4 0\n0\n")
	f.Add("d d 0")
	f.Add("-2147483648 0")
	f.Fuzz(func(t *testing.T, text string) {
		proof, _ := read(ReadText(strings.NewReader(text)))
		for _, s := range proof {
			if slices.Contains(s.Lits, 0) {
				t.Errorf("%q: %v", text, s)
			}
		}
		_ = refute(8, [][]int32{{1, 2}, {-1, 3}}, ReadText(strings.NewReader(text)))
	})
}

// A lemma follows from a graph where its literals, all false, have edges make a cycle; from a graph without a cycle, it
// does not follow.
func TestCycles(t *testing.T) {
	for text, want := range map[string]error{
		"-1 -2 -3 0\n-4 0\n0\n":   nil,         // a ring of three, by clauses of their edges' literals
		"-4 0\n0\n":               nil,         // 4 implies all three
		"-1 -2 0\n-4 0\n0\n":      ErrRejected, // no ring
		"-3 -5 0\n-4 0\n0\n":      ErrRejected, // of two graphs
		"5 0\n-1 -2 -3 0\n0\n":    ErrRejected, // RAT, which knows nothing of graphs
		"d 4 -6 0\n-4 0\n-6 0\n0": ErrRejected,
	} {
		c := NewChecker(6)
		c.AddGraph(3)
		c.AddGraph(3)
		c.AddEdge(0, 0, 1, 1)
		c.AddEdge(0, 1, 2, 2)
		c.AddEdge(0, 2, 0, 3)
		c.AddEdge(1, 0, 1, 5)
		for _, clause := range [][]int32{{-4, 1}, {-4, 2}, {-4, 3}, {4, 6}, {4, -6}} {
			c.Add(clause)
		}
		if _, err := c.Refute(t.Context(), ReadText(strings.NewReader(text))); !errors.Is(err, want) ||
			(err == nil) != (want == nil) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// Of edges that are alone, one makes a cycle with others, and two make none.
func TestCyclesOfOneAlone(t *testing.T) {
	for text, want := range map[string]error{
		"-1 -2 0\n-4 0\n0\n": nil,         // one there, and back by an edge that is alone
		"-3 0\n-5 0\n0\n":    nil,         // one from a node to itself
		"-2 -6 0\n-4 0\n0\n": ErrRejected, // both are alone
	} {
		c := NewChecker(6)
		c.AddGraph(3)
		c.AddEdge(0, 0, 1, 1)
		c.AddAlone(0, 1, 0, 2)
		c.AddAlone(0, 0, 1, 6)
		c.AddAlone(0, 2, 2, 3)
		for _, clause := range [][]int32{{-4, 1}, {-4, 2}, {4, 5}, {-5, 3}, {4, -6, 5}} {
			c.Add(clause)
		}
		if _, err := c.Refute(t.Context(), ReadText(strings.NewReader(text))); !errors.Is(err, want) ||
			(err == nil) != (want == nil) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// An edge from a node to itself, and a ring of edges that are there anyway, are contradictions by themselves.
func TestCyclesOfWhatIsThere(t *testing.T) {
	for _, edges := range [][][2]int{{{0, 0}}, {{0, 1}, {1, 0}}} {
		c := NewChecker(1)
		c.Add([]int32{1})
		c.AddGraph(2)
		for _, e := range edges {
			c.AddEdge(0, e[0], e[1], 1)
		}
		if _, err := c.Refute(t.Context(), ReadText(strings.NewReader("0\n"))); err != nil {
			t.Errorf("%v: %v", edges, err)
		}
	}
	c := NewChecker(1)
	c.AddGraph(1)
	if c.AddEdge(0, 0, 0, 2); c.err == nil {
		t.Error("an edge of no variable's literal is taken")
	}
}
