package pool

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// What the museum says of a program, the axiomatic engine must find, and so must that of graphs, where it takes the
// model. Under the models that have machines, the engines that explore runs must find it as well if the question is
// about assertions; of other properties they know less, and may leave them open. Each has ten seconds; with -short,
// engines that work in rounds get every fourth question.
func TestMuseum(t *testing.T) {
	p, err := New(Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	turn := 0
	for _, e := range catalogue.Museum() {
		for _, piece := range e.Programs {
			for _, b := range piece.Builds {
				turn++
				t.Run(e.Name+" "+b.ID, func(t *testing.T) {
					turn := turn
					t.Parallel()
					for _, k := range b.Known {
						museumVerdict(t, p, piece, b, k, turn)
						turn++
					}
				})
			}
		}
	}
}

func museumVerdict(t *testing.T, p *Pool, piece catalogue.Piece, b catalogue.Build, k catalogue.Known, turn int) {
	complete, byRuns, asked := false, 0, 0
	for _, e := range engines.All() {
		if !e.VerifiesUnder(k.Model) {
			continue
		}
		inRounds := e.Heeds("rounds") || e.Heeds("k")
		if inRounds {
			if asked++; testing.Short() && asked%4 != turn%4 {
				continue
			}
		}
		options := solver.DefaultOptions()
		options.Timeout = 10 * time.Second
		options.Unroll = cmp.Or(b.Unroll, options.Unroll)
		v, err := solver.Ask(t.Context(), p, solver.VerifyTask{
			Path: piece.File(), Files: []solver.SourceFile{{Name: piece.File(), Text: piece.Source}},
			Defines: b.Defines, Target: b.Target,
			Model: k.Model, Engine: e.Name, Options: e.Heeded(options),
			Verify: solver.Verify{Properties: []ir.Property{ir.Property(piece.Property)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		decided, goesByRuns := v.Status == solver.OK, inRounds || e.Name == "machine"
		switch {
		case goesByRuns && v.Status == solver.Unknown && piece.Property != string(ir.Assertion):
		case decided && string(v.Verdict) == k.Verdict && (v.Complete || k.Bounded || v.Verdict == solver.Unsafe):
			complete = complete || v.Complete
			if goesByRuns {
				byRuns++
			}
		case decided && string(v.Verdict) == k.Verdict && e.Name == "axiomatic": // graphs has to know more
		default:
			t.Errorf("%s under %s by %s: %s; the museum says %s", b.ID, k.Model, e.Name, said(v), k.Verdict)
		}
		if v.Verdict == solver.Unsafe && (v.Failure == nil || v.Failure.Line == 0) {
			t.Errorf("%s under %s by %s: unsafe, and no place", b.ID, k.Model, e.Name)
		}
	}
	if k.Verdict == "safe" && complete == k.Bounded {
		t.Errorf("%s under %s: safe, complete is %v, and the museum says otherwise", b.ID, k.Model, complete)
	}
	if byRuns == 0 && piece.Property == string(ir.Assertion) && slices.Contains([]string{"sc", "tso", "pso"}, k.Model) {
		t.Errorf("%s under %s: no engine finds it that goes by runs", b.ID, k.Model)
	}
}
