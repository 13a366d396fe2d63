package web

import (
	"slices"
	"sync"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// recent keeps the last answers that no cache takes because a limit has cut them short. What
// a page asks of its answer afterwards, a picture or more rows, is then asked of what it
// shows, and does not take the limit's time again. It may be used from many goroutines.
type recent struct {
	mu   sync.Mutex
	kept []cutShort // the oldest first
	size int64
}

type cutShort struct {
	key    recentKey
	result *solver.Result
	size   int64
}

// recentKey is a task's with the limits, which its own key leaves out.
type recentKey struct {
	solver.Key
	timeout time.Duration
	memory  int
}

// maxRecent bounds what is kept, in bytes.
const maxRecent = 32 << 20

func recentKeyOf(t solver.Task) (recentKey, bool) {
	key, err := engines.Key(t)
	return recentKey{key, t.Options.Timeout, t.Options.Memory}, err == nil
}

// put keeps a result, unless a cache does.
func (c *recent) put(t solver.Task, r *solver.Result) {
	key, ok := recentKeyOf(t)
	size := weight(r)
	if !ok || r.Status != solver.Unknown || size > maxRecent {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(func(k cutShort) bool { return k.key == key })
	c.kept = append(c.kept, cutShort{key, r, size})
	c.size += size
	for c.size > maxRecent {
		oldest := c.kept[0].key
		c.drop(func(k cutShort) bool { return k.key == oldest })
	}
}

// get is the result of a task, or nil.
func (c *recent) get(t solver.Task) *solver.Result {
	key, ok := recentKeyOf(t)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.IndexFunc(c.kept, func(k cutShort) bool { return k.key == key }); i >= 0 {
		return c.kept[i].result
	}
	return nil
}

func (c *recent) drop(gone func(cutShort) bool) {
	c.kept = slices.DeleteFunc(c.kept, func(k cutShort) bool {
		if gone(k) {
			c.size -= k.size
			return true
		}
		return false
	})
}
