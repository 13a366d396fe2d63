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

// document is a response that stays the same while the process runs.
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
	documents     = map[string]document{} // by dialect; "cat": models, "program": C programs
)

// wordsOf returns a document, which it makes on first use; false if the language is unknown.
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

// catWords is the key for models.
const catWords = "cat"

// programWords is the key for C programs.
const programWords = "program"

// getWords sends the words for completion: ?arch=X86 for tests, ?arch=cat for models, ?arch=program for C programs.
func (s *page) getWords(w http.ResponseWriter, r *http.Request) {
	d, ok := wordsOf(r.URL.Query().Get("arch"))
	if !ok {
		s.server.Fail(w, r, http.StatusNotFound,
			"Completion words exist for "+strings.Join(dialect.Tongues(), ", ")+", "+catWords+" and "+programWords+".")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	// Browsers must revalidate: a new version of the server may have more words.
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", d.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), strings.Trim(d.tag, `"`)) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(d.body) // the client may have gone
}
