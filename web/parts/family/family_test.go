package family

import (
	"testing"
	"time"

	"litmuscope/litmus/cycle"
	"litmuscope/web/server"
)

// Who reads a family slowly keeps nobody from making theirs.
func TestFamiliesOfSlowReaders(t *testing.T) {
	t.Parallel()
	making := server.NewTurns(1, 0, time.Minute, "busy")
	list, err := cycle.ParseRelaxations("X86", "Pod** Rfe Fre Wse")
	if err != nil {
		t.Fatal(err)
	}
	slow := &Family{Ctx: t.Context(), Arch: "X86", list: list, min: 4, max: 4, most: 1000, making: making}
	for range slow.Tests() {
		n := 0
		quick := &Family{Ctx: t.Context(), Arch: "X86", list: list, min: 4, max: 4, most: 1000, making: making}
		for range quick.Tests() {
			n++
		}
		if n < 3 || quick.Err != nil {
			t.Fatalf("%d tests, %v, while another family waits for its reader", n, quick.Err)
		}
		break
	}
}
