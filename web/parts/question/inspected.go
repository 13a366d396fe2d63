package question

import (
	"crypto/sha256"
	"encoding/json"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"litmuscope/solver/engines"
)

// inspected caches the inspections of recent questions, so that a cached answer needs no child process. Inspections
// that a limit cut are errors and are not cached. It is safe for concurrent use.
type inspected struct {
	kept *lru.Cache[[sha256.Size]byte, []byte] // by the question as JSON, as JSON; nil before the first
	once sync.Once
}

// Bounds on the cache: at most 32 MiB.
const (
	maxInspected = 1024
	mostOfOne    = 32 << 10
)

// of returns the cached inspection of a question, or calls the function to inspect it.
func (i *inspected) of(q engines.Question, inspect func() (*engines.Inspection, error)) (*engines.Inspection, error) {
	i.once.Do(func() { i.kept, _ = lru.New[[sha256.Size]byte, []byte](maxInspected) }) // which fails for no size alone
	asked, err := json.Marshal(q)
	if err != nil {
		return inspect()
	}
	key := sha256.Sum256(asked)
	if body, ok := i.kept.Get(key); ok {
		in := new(engines.Inspection)
		if json.Unmarshal(body, in) == nil {
			return in, nil
		}
	}
	in, err := inspect()
	if err != nil {
		return nil, err
	}
	if body, err := json.Marshal(in); err == nil && len(body) <= mostOfOne {
		i.kept.Add(key, body)
	}
	return in, nil
}
