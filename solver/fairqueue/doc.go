// Package fairqueue decides whose work is next where many people share few processors. A
// Queue stands in front of runners and has two lanes:
//
//	t := fairqueue.New(fairqueue.Config{Quick: pool, Slow: polite, QuickSlots: 2, SlowSlots: 1, MaxWaiting: 256})
//	ctx = fairqueue.WithClient(ctx, address)
//	r, err := t.Run(ctx, task) // *fairqueue.Busy among its errors
//
// All work begins in the quick lane. What has not ended there within Config.Patience is
// cancelled and begins anew in the slow lane, so that short work waits for long work
// no longer than that, however much of it there is.
//
// In each lane the clients with work waiting are served in turn, whatever each has, its
// oldest work first. A client may have no more waiting than there are places left: one
// alone fills half of them, two a third each, and a newcomer still finds some. Whoever
// may not wait gets a [Busy] at once.
package fairqueue
