package suites

// changed wakes all who watch a suite; the caller holds c.mu.
func (c *Coordinator) changed(id string) {
	if ch := c.watch[id]; ch != nil {
		close(ch)
		delete(c.watch, id)
	}
}

// Changed returns a channel that closes when something about a suite changes after the call; it is nil, which never is,
// where the suite does not run.
func (c *Coordinator) Changed(id string) <-chan struct{} {
	select {
	case <-c.resumed:
	default:
		return c.resumed // until then, the coordinator does not know the running suites
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.active {
		if a.ID != id {
			continue
		}
		if c.watch[id] == nil {
			c.watch[id] = make(chan struct{})
		}
		return c.watch[id]
	}
	return nil
}

// Ended returns a channel that closes when a suite no longer runs; it is nil where that was so before.
func (c *Coordinator) Ended(id string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.active {
		if a.ID == id {
			return a.end
		}
	}
	return nil
}
