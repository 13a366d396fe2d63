package class

import (
	"fmt"
	"time"
)

// The choices, in seconds, for a vote's time limit and for extending it.
var (
	times    = [...]int{30, 60, 120, 300}
	moreTime = [...]int{30, 60}
)

// durationText formats seconds for a button.
func durationText(seconds int) string {
	if seconds%60 == 0 {
		return fmt.Sprint(seconds/60, " min")
	}
	return fmt.Sprint(seconds, " s")
}

// clockText formats the time left as m:ss, rounded up to whole seconds.
func clockText(left time.Duration) string {
	seconds := int((left + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}
