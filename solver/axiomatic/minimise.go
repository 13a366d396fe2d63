package axiomatic

import (
	"math/bits"

	"litmuscope/solver/sat"
)

// fewest looks for a failing prefix that is as near to SC as can be. Between neighbours of a
// thread, program order may be cut; where it is not, it makes one order together with rf, co and fr, as
// SC has it of all. The fewest cuts that a failure takes are found by asking for none, one, two and so on.
// The formula is of no use for anything else from then on.
func (v *verification) fewest(fail sat.Lit) error {
	cuts := v.r.CutOrder()
	width := bits.Len(uint(len(cuts)))
	count := sat.ConstVec(0, width)
	for _, cut := range cuts {
		one := sat.ConstVec(0, width)
		one[0] = cut
		count = v.e.Add(count, one, sat.False)
	}
	for most := range cuts {
		few := v.e.Less(count, sat.ConstVec(uint64(most)+1, width))
		m, err := v.ask(v.e.And(fail, few))
		if err != nil {
			return err
		}
		if m != nil {
			f, err := v.failure(m)
			if err == nil {
				v.out.Failure = f
			}
			return err
		}
	}
	return nil // no other than with all cut
}
