package axiomatic

import (
	"slices"

	"litmuscope/models"
	"litmuscope/solver"
)

// thinAir remarks on values that are left out because they feed on themselves, where the model's axioms
// allow such and they reach what the test asks about. They could be any, so that no more is known.
func (x *exploration) thinAir() error {
	if x.e.ring == nil || x.Some == solver.Yes && x.SomeNot == solver.Yes || x.Some == solver.Open || x.SomeNot == solver.Open || !x.fed() {
		return nil
	}
	if len(x.e.events) > maxRinged {
		x.beware("and what is stored here may come, by way of other threads, from this store itself; whether the axioms of " + x.Model.Name +
			" forbid that is not asked of so large a test")
		return nil
	}
	x.Aside = "asking about values out of thin air"
	out, err := x.weaker(&exploration{Search: x.Beside(x.Query), ringed: true})
	if err != nil || out == nil {
		return err
	}
	if m, err := out.Ask(out.Listing()); err != nil || m == nil {
		return err
	}
	x.beware("though the axioms of " + x.Model.Name +
		" do not forbid them: what is stored here may come, by way of other threads, from this store itself, and could be anything; then the answer could be another")
	return nil
}

// maxRinged bounds the events of a test that is asked whether values may go round: there may be no
// such execution, and that is hard to find out.
const maxRinged = 48

// beware remarks on values out of thin air, at the first store of the ring.
func (x *exploration) beware(text string) {
	w := x.e.ring[slices.IndexFunc(x.e.ring, func(i int) bool { return x.e.events[i].Kind == models.Write })]
	th := &x.e.program.Threads[x.e.events[w].Thread]
	at := th.Source[th.Code[x.e.events[w].Step].Source].Pos
	x.Result.Remarks = append(x.Result.Remarks, solver.Remark{Line: at.Line, Column: at.Col, Message: "values out of thin air are left out, " + text})
}

// fed tells whether what the test asks about may be a value of the ring.
func (x *exploration) fed() bool {
	for _, o := range x.Program.Observed {
		for _, i := range x.e.ring {
			e := &x.e.events[i]
			if o.Thread == e.Thread && e.Kind == models.Read || o.Thread < 0 && e.Kind == models.Write && e.Thread != models.InitThread {
				return true
			}
		}
	}
	return false
}
