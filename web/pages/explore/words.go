package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"litmuscope/litmus/dialect"
	"litmuscope/web/parts/completion"
)

// document is an answer that stays the same as long as the program does.
type document struct {
	body []byte
	tag  string
}

func newDocument(v any) document {
	body, err := json.Marshal(v)
	if err != nil {
		panic("BUG: cannot write completion words as JSON: " + err.Error())
	}
	sum := sha256.Sum256(body)
	return document{body, `"` + hex.EncodeToString(sum[:8]) + `"`}
}

var (
	documentsLock sync.Mutex
	documents     = map[string]document{} // by architecture; "cat" for models, "program" for C programs
)

// wordsOf makes a document when it is first asked for.
func wordsOf(of string) (document, bool) {
	documentsLock.Lock()
	defer documentsLock.Unlock()
	d, ok := documents[of]
	if ok {
		return d, true
	}
	switch of {
	case catWords:
		d = newDocument(completion.OfModels())
	case programWords:
		d = newDocument(completion.OfPrograms())
	default:
		w, ok := completion.OfTests(of)
		if !ok {
			return d, false
		}
		d = newDocument(w)
	}
	documents[of] = d
	return d, true
}

// catWords stands for models among the architectures.
const catWords = "cat"

// programWords stands for C programs.
const programWords = "program"

// getWords gives what completion knows: ?arch=X86 of tests, ?arch=cat of models, ?arch=program of C
// programs.
func (s *page) getWords(w http.ResponseWriter, r *http.Request) {
	d, ok := wordsOf(r.URL.Query().Get("arch"))
	if !ok {
		s.server.Fail(w, r, http.StatusNotFound,
			"Completion words exist for "+strings.Join(dialect.Tongues(), ", ")+", "+catWords+" and "+programWords+".")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	// A new program may know more: browsers keep it, and ask whether it still holds.
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", d.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), strings.Trim(d.tag, `"`)) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(d.body) // the client may have gone
}
