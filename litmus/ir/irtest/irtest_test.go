package irtest

import (
	"math/rand"
	"testing"
)

func TestDrawnProgramsParse(t *testing.T) {
	for seed := range int64(200) {
		text := Draw(rand.New(rand.NewSource(seed)))
		p := Parse(text)
		for i, th := range p.Threads {
			if len(th.Code) == 0 || th.Spawned != (i > 0) {
				t.Fatalf("%s: thread %d has %d steps, spawned %v", text, i, len(th.Code), th.Spawned)
			}
		}
	}
}
