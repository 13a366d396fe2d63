package course

import (
	"context"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/web/teaching/lesson"
)

// CheckClaims checks with the engines what the course's sheets claim, as [lesson.CheckClaims] does: that no exercise
// meets its goals from the start, and that its solution meets them. It returns the faults; an error is the runner's.
func CheckClaims(ctx context.Context, r solver.Runner, c *Course) (faults litmus.ErrorList, err error) {
	for _, a := range c.Assignments() {
		if len(a.Faults) > 0 {
			continue // of which reading has told
		}
		more, err := lesson.CheckClaims(ctx, r, a.Lesson, false)
		if err != nil {
			return nil, err
		}
		faults = append(faults, more...)
	}
	return faults.Sorted(), nil
}
