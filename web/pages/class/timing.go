package class

import (
	"fmt"
	"time"
)

// Of how many seconds a teacher has the choice, for a vote and for more of it.
var (
	times    = [...]int{30, 60, 120, 300}
	moreTime = [...]int{30, 60}
)

// durationText is a number of seconds as a button has it.
func durationText(seconds int) string {
	if seconds%60 == 0 {
		return fmt.Sprint(seconds/60, " min")
	}
	return fmt.Sprint(seconds, " s")
}

// clockText is the time that is left as a clock has it, begun seconds as whole ones.
func clockText(left time.Duration) string {
	seconds := int((left + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
