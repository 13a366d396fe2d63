// Package fairqueue decides whose work runs next when many clients share few processors. A [Queue] is a solver.Runner
// in front of others, with two lanes:
//
//	t := fairqueue.New(fairqueue.Config{Quick: pool, Slow: polite, QuickSlots: 2, SlowSlots: 1, MaxWaiting: 256})
//	ctx = fairqueue.WithClient(ctx, address, network)
//	r, err := t.Run(ctx, task) // *fairqueue.Busy among its errors
//
// Work starts in the quick lane. Fairqueue cancels work that takes longer than Config.Patience there and starts it
// again in the slow lane; a tenth of a second is enough if a client waits that has used much less. So short work waits
// only briefly for long work. In each lane the client comes first that, with its network, has used least lately; among
// equals, the one that has waited longest, with its oldest work. A client may have no more waiting than there are free
// places: one alone fills half of them, two a third each. Whoever may not wait gets a [Busy] at once.
//
// It imports solver.
package fairqueue
