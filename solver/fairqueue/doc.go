// Package fairqueue decides whose work is next where many people share few processors. A
// Queue stands in front of runners and has two lanes:
//
//	t := fairqueue.New(fairqueue.Config{Quick: pool, Slow: polite, QuickSlots: 2, SlowSlots: 1, MaxWaiting: 256})
//	ctx = fairqueue.WithClient(ctx, address, network)
//	r, err := t.Run(ctx, task) // *fairqueue.Busy among its errors
//
// All work begins in the quick lane. What has not ended there within Config.Patience, or within a
// tenth of a second where somebody waits who has had less by far, is
// cancelled and begins anew in the slow lane, so that short work waits for long work
// no longer than that, however much of it there is.
//
// In each lane the client comes first that has had least work done lately, itself and together with others of its network; of those
// that have had as much, the one that has waited for longest, with its
// oldest work. A client may have no more waiting than there are places left: one
// alone fills half of them, two a third each, and a newcomer still finds some. Whoever
// may not wait gets a [Busy] at once.
package fairqueue
