package web

import (
	"slices"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// recent keeps the last answers. What a page asks of its answer afterwards, a picture or more
// rows, is then asked of what it shows, and does not take its time again. It may be used from many
// goroutines.
type recent[K comparable, A any] struct {
	mu   sync.Mutex
	kept []keptAnswer[K, A] // the oldest first
	size int64
}

type keptAnswer[K comparable, A any] struct {
	key    K
	answer A
	size   int64
}

// maxRecent bounds what is kept, in bytes.
const maxRecent = 32 << 20

func (c *recent[K, A]) put(key K, answer A, size int64) {
	if size > maxRecent {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(func(k keptAnswer[K, A]) bool { return k.key == key })
	c.kept = append(c.kept, keptAnswer[K, A]{key, answer, size})
	c.size += size
	for c.size > maxRecent {
		oldest := c.kept[0].key
		c.drop(func(k keptAnswer[K, A]) bool { return k.key == oldest })
	}
}

func (c *recent[K, A]) get(key K) (answer A, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.kept, func(k keptAnswer[K, A]) bool { return k.key == key }); i >= 0 {
		return c.kept[i].answer, true
	}
	return answer, false
}

func (c *recent[K, A]) drop(gone func(keptAnswer[K, A]) bool) {
	c.kept = slices.DeleteFunc(c.kept, func(k keptAnswer[K, A]) bool {
		if gone(k) {
			c.size -= k.size
			return true
		}
		return false
	})
}

// cutShort keeps the answers to tests that no cache takes because a limit has cut them short.
type cutShort struct {
	recent[recentKey, *solver.Result]
}

// recentKey is a task's with the limits, which its own key leaves out.
type recentKey struct {
	solver.Key
	timeout time.Duration
	memory  int
}

func recentKeyOf(t solver.Task) (recentKey, bool) {
	key, err := engines.Key(t)
	return recentKey{key, t.Options.Timeout, t.Options.Memory}, err == nil
}

// put keeps a result, unless a cache does.
func (c *cutShort) put(t solver.Task, r *solver.Result) {
	if key, ok := recentKeyOf(t); ok && r.Status == solver.Unknown {
		c.recent.put(key, r, weight(r))
	}
}

// get is the result of a task, or nil.
func (c *cutShort) get(t solver.Task) *solver.Result {
	key, ok := recentKeyOf(t)
	if !ok {
		return nil
	}
	r, _ := c.recent.get(key)
	return r
}
