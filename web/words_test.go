package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

func TestWordsOfEachArchitecture(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, arch := range dialect.Tongues() {
		w := get(h, "/words?arch="+arch)
		wantStatus(t, w, http.StatusOK)
		var words struct {
			Arch         string
			Instructions []struct{ Kind dialect.Kind }
			Registers    []string
			Keywords     []struct{ Name string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &words); err != nil {
			t.Fatal(err)
		}
		kinds := map[dialect.Kind]int{}
		for _, in := range words.Instructions {
			kinds[in.Kind]++
		}
		for _, k := range []dialect.Kind{dialect.Access, dialect.Atomic, dialect.Fence, dialect.Jump, dialect.Value} {
			if kinds[k] == 0 && (arch != "BPF" || k != dialect.Fence) { // whose atomics are its only barriers
				t.Errorf("%s: no %s", arch, k)
			}
		}
		if len(words.Registers) < 8 || len(words.Keywords) != 5 || words.Arch != arch {
			t.Errorf("%s: %d registers, %d keywords, of %s", arch, len(words.Registers),
				len(words.Keywords), words.Arch)
		}

		again := httptest.NewRequest(http.MethodGet, "/words?arch="+arch, nil)
		again.Header.Set("If-None-Match", w.Header().Get("ETag"))
		kept := httptest.NewRecorder()
		h.ServeHTTP(kept, again)
		wantStatus(t, kept, http.StatusNotModified)
	}
	wantStatus(t, get(h, "/words?arch=VAX"), http.StatusNotFound)
	wantStatus(t, get(h, "/words"), http.StatusNotFound)
}
