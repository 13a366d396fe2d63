package question

import (
	"slices"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// recent keeps the latest answers that the result cache rejects because a limit cut them short. A page that asks for a
// picture or further rows gets them from the answer that it shows, without a second run. It is safe for concurrent use.
type recent struct {
	mu   sync.Mutex
	kept []keptAnswer // the oldest first
	size int64
}

type keptAnswer struct {
	key    recentKey
	answer solver.Answer
	size   int64
}

// recentKey is the key of a question and its limits, which solver.Key leaves out.
type recentKey struct {
	solver.Key
	timeout time.Duration
	memory  int
}

// maxRecent bounds the kept answers, in bytes.
const maxRecent = 32 << 20

func recentKeyOf(q solver.Question) (recentKey, bool) {
	key, err := engines.Key(q)
	o := q.Params().Options
	return recentKey{key, o.Timeout, o.Memory}, err == nil
}

// put keeps an answer unless the result cache does.
func (c *recent) put(q solver.Question, a solver.Answer) {
	key, ok := recentKeyOf(q)
	size := weight(a)
	if !ok || *a.Head().Status == solver.Failed || a.Keepable(q.Params().Options) || size > maxRecent {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	c.kept = append(c.kept, keptAnswer{key, a, size})
	for c.size += size; c.size > maxRecent; {
		c.drop(c.kept[0].key)
	}
}

// get returns the answer to a question, or nil.
func (c *recent) get(q solver.Question) solver.Answer {
	key, ok := recentKeyOf(q)
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.index(key); ok && i >= 0 {
		return c.kept[i].answer
	}
	return nil
}

func (c *recent) index(key recentKey) int {
	return slices.IndexFunc(c.kept, func(k keptAnswer) bool { return k.key == key })
}

func (c *recent) drop(key recentKey) {
	if i := c.index(key); i >= 0 {
		c.size -= c.kept[i].size
		c.kept = slices.Delete(c.kept, i, i+1)
	}
}
