package axiomatic

import (
	"slices"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
)

// thinAir adds a remark on excluded values that feed on themselves, if the model's axioms allow such and they reach the
// test's question. They could be any, so that nothing more is certain.
func (x *exploration) thinAir() error {
	if x.Some == solver.Yes && x.SomeNot == solver.Yes || x.Some == solver.Open ||
		x.SomeNot == solver.Open || !x.fed() {
		return nil
	}
	said, err := ringRemarks(x.e, x.Model.Name, func() (bool, error) {
		x.AfterOutcomes = "looking for values out of thin air"
		out, err := x.weaker(&exploration{Search: x.SideSearch(x.Query), ringed: true})
		if err != nil || out == nil {
			return false, err
		}
		m, err := out.Ask(out.Listing())
		return m != nil, err
	})
	x.Result.Remarks = append(x.Result.Remarks, said...)
	return err
}

// thinAir is the same for a program that nothing fails in. Its values decide whether threads continue at all, so that
// any value that feeds on itself may decide it.
func (v *verification) thinAir() error {
	said, err := ringRemarks(v.e, v.Model.Name, func() (bool, error) {
		out := &verification{Query: v.Query, ctx: v.ctx, stats: v.stats, ringed: true}
		stops, err := encode.NewPrefix(v.Program)
		if err != nil {
			return false, err
		}
		if _, _, err := out.encode(stops); err != nil {
			return false, err
		}
		m, err := out.ask(out.e.Prefix.StopsInSections(out.e).Not())
		return m != nil, err
	})
	v.out.Remarks = append(v.out.Remarks, said...)
	return err
}

// maxRinged bounds the events of a test whose values may repeat: there may be no such execution, and that is hard to
// find out.
const maxRinged = 48

// ringRemarks is a remark, at the first store of the ring, if there is one that may repeat.
func ringRemarks(e *encode.Encoding, model string, goesRound func() (bool, error)) ([]solver.Remark, error) {
	if e.Ring == nil {
		return nil, nil
	}
	text := "values out of thin air are excluded. The value stored here may depend, through other threads, on this " +
		"store itself; the test is too large to check whether the axioms of " + model + " forbid that"
	if len(e.Events) <= maxRinged {
		if round, err := goesRound(); err != nil || !round {
			return nil, err
		}
		text = "values out of thin air are excluded, although the axioms of " + model + " allow them. The value " +
			"stored here may depend, through other threads, on this store itself, and could then be any value; " +
			"with such values, the answer could be different"
	}
	w := e.Ring[slices.IndexFunc(e.Ring, func(i int) bool { return e.Events[i].Kind == models.Write })]
	th := &e.Program.Threads[e.Events[w].Thread]
	at := th.Source[th.Code[e.Events[w].Step].Source].Pos
	return []solver.Remark{{Line: at.Line, Column: at.Col, Message: text}}, nil
}

// fed reports whether what the test asks about may be a value of the ring.
func (x *exploration) fed() bool {
	for _, o := range x.Program.Observed {
		for _, i := range x.e.Ring {
			e := &x.e.Events[i]
			if o.Thread == e.Thread && e.Kind == models.Read || o.Thread < 0 && e.Kind == models.Write &&
				e.Thread != models.InitThread {
				return true
			}
		}
	}
	return false
}
