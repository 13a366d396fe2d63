package native

import (
	"os"
	"strings"
	"testing"

	"litmuscope/litmus"
)

func TestTry(t *testing.T) {
	var all []*Test
	for _, f := range strings.Fields(os.Getenv("TRY")) {
		src, _ := os.ReadFile(f)
		lt, err := litmus.Parse(f, string(src))
		if err != nil {
			t.Log(err)
			continue
		}
		x, err := Assemble(lt, Target{Arch: os.Getenv("TRYARCH"), LittleEndian: true})
		if err != nil {
			t.Log(err)
			continue
		}
		all = append(all, x)
	}
	os.WriteFile(os.Getenv("TRYOUT"), File(all), 0o644)
}
