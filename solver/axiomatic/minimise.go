package axiomatic

import (
	"math/bits"

	"litmuscope/solver/sat"
)

// fewest looks for a failing prefix that is as close to SC as possible. Cuts of program order are possible between
// neighbours in a thread; elsewhere, it forms one order with rf, co and fr, as SC requires. It finds the smallest
// number of cuts by asking for none, one, two and so on. Afterwards the formula is useless for other questions.
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
	return nil // no failure with fewer cuts than all
}
