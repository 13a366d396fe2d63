package question

import (
	"crypto/sha256"
	"encoding/json"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"litmuscope/solver/engines"
)

// inspected keeps what was found out about questions that were asked last, so that an answer that is cached waits for
// no child process. What limits cut is an error, and is not kept. It may be used from many goroutines.
type inspected struct {
	kept *lru.Cache[[sha256.Size]byte, []byte] // by the question as JSON, as JSON; nil before the first
	once sync.Once
}

// Bounds on what is kept: 32 MiB at most.
const (
	maxInspected = 1024
	mostOfOne    = 32 << 10
)

// of is what was found out about a question, or is by inspecting it.
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
