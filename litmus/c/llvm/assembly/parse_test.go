package assembly

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTry(t *testing.T) {
	files, _ := filepath.Glob("/tmp/rb/*.ll")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		begin := time.Now()
		m, err := Parse(f, string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Log(f, len(m.Functions), len(m.Globals), len(m.Metadata), time.Since(begin))
	}
}
