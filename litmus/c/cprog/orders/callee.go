package orders

import (
	"slices"
	"strings"

	"litmuscope/litmus/c"
)

// role is what an order applies to: a load, a store, an update or a fence.
type role int

const (
	load role = iota
	store
	update
	fence
)

// String returns the role as places and messages name it.
func (r role) String() string { return []string{"load", "store", "update", "fence"}[r] }

// all returns the orders that a role can have, the weakest first. A relaxed fence means no fence.
func (r role) all() []c.Order {
	switch r {
	case load:
		return []c.Order{c.Relaxed, c.Acquire, c.SeqCst}
	case store:
		return []c.Order{c.Relaxed, c.Release, c.SeqCst}
	}
	return []c.Order{c.Relaxed, c.Acquire, c.Release, c.AcqRel, c.SeqCst}
}

// Weaker reports whether an order guarantees less than another, and nothing that the other does not.
func Weaker(o, than c.Order) bool {
	if o == than {
		return false
	}
	switch than {
	case c.SeqCst:
		return true
	case c.AcqRel:
		return o != c.SeqCst
	case c.Acquire:
		return o == c.Relaxed || o == c.Consume
	case c.Release, c.Consume:
		return o == c.Relaxed
	}
	return false
}

// Word returns an order in a word; a relaxed fence is "none".
func Word(o c.Order, fence bool) string {
	if fence && o == c.Relaxed {
		return "none"
	}
	return strings.TrimPrefix(o.String(), "memory_order_")
}

// slot is an order that a call gives or implies.
type slot struct {
	role role
	can  []c.Order // possible orders, the weakest first
	arg  int       // index of the argument that gives it; -1 for none
	was  c.Order
	// failure: it is the order of a failed compare-exchange.
	failure bool
	also    []role // further roles, if it is passed on
	gnu     bool   // it is passed on to GCC's builtins, which may be all that the program knows
}

// form says how a call gives its orders.
type form struct {
	slots []slot
	// explicit is, for a call that implies its orders, the function with explicit orders after the other arguments, and
	// before is the text before these.
	explicit, before string
	takes            int // number of arguments; -1 for any
	// named has the function for each order, if the name gives the order.
	named map[c.Order]string
}

// does names the roles of the slot.
func (s slot) does() []string {
	out := []string{s.role.String()}
	for _, r := range s.also {
		out = append(out, r.String())
	}
	return out
}

func roleOf(does c.Effect) (role, bool) {
	switch does {
	case c.Load:
		return load, true
	case c.Store:
		return store, true
	case c.Modify, c.CompareExchange:
		return update, true
	case c.Fence:
		return fence, true
	}
	return 0, false
}

// formOf returns the form of a function of C11 or GCC. why is the reason if the function orders memory but has no order
// that can be changed.
func formOf(name string) (f form, why string, ok bool) {
	known, is := c.Callees()[c.C11][name]
	if !is {
		known, is = c.Callees()[c.GNU][name]
	}
	if !is {
		if k, kernels := c.Callees()[c.Kernel][name]; kernels && k.How != c.Ordering(c.Unordered) {
			if _, does := roleOf(k.Effect); does {
				return form{}, "a kernel primitive", false
			}
		}
		return form{}, "", false
	}
	r, is := roleOf(known.Effect)
	if !is {
		return form{}, "", false
	}
	f.takes = known.Arity()
	success, failure := known.At("order"), known.At("order_of_failure")
	if success >= 0 {
		f.slots = append(f.slots, slot{role: r, can: r.all(), arg: success})
		if failure >= 0 {
			f.slots = append(f.slots, slot{role: load, can: load.all(), arg: failure, failure: true})
		}
		return f, "", true
	}
	how, is := known.How.(c.Order)
	if !is {
		return form{}, "", false
	}
	f.slots = []slot{{role: r, can: r.all(), arg: -1, was: how}}
	if _, has := c.Callees()[c.C11][name+"_explicit"]; has {
		f.explicit = name + "_explicit"
		if known.Effect == c.CompareExchange {
			f.slots = append(f.slots, slot{role: load, can: load.all(), arg: -1, was: how, failure: true})
		}
		return f, "", true
	}
	f.explicit, f.before = synced(name)
	if f.explicit == "" {
		return form{}, "it has no variant with an order", false
	}
	return f, "", true
}

// synced returns the GCC function with an order that corresponds to an old one, and the text before its order.
func synced(name string) (explicit, before string) {
	switch rest := strings.TrimPrefix(name, "__sync_"); {
	case rest == "synchronize":
		return "__atomic_thread_fence", ""
	case rest == "lock_test_and_set":
		return "__atomic_exchange_n", ""
	case rest == "lock_release":
		return "__atomic_store_n", "0"
	case strings.HasPrefix(rest, "fetch_and_"):
		return "__atomic_fetch_" + strings.TrimPrefix(rest, "fetch_and_"), ""
	case strings.HasSuffix(rest, "_and_fetch"):
		return "__atomic_" + strings.TrimSuffix(rest, "_and_fetch") + "_fetch", ""
	}
	return "", ""
}

// suffixes lists the suffixes with which libraries name operations by their order: vatomic32_read, vatomic32_read_acq.
var suffixes = []struct {
	order  c.Order
	suffix string
}{{c.Relaxed, "_rlx"}, {c.Acquire, "_acq"}, {c.Release, "_rel"}, {c.SeqCst, ""}}

// suffixed returns the form of a function whose name ends in an order, if the program has others with the same stem.
func suffixed(name string, defined map[string]bool) (form, bool) {
	if !strings.HasPrefix(name, "vatomic") || !defined[name] {
		return form{}, false
	}
	stem, was := name, c.SeqCst
	for _, s := range suffixes {
		if s.suffix != "" && strings.HasSuffix(name, s.suffix) {
			stem, was = strings.TrimSuffix(name, s.suffix), s.order
		}
	}
	f := form{takes: -1, named: map[c.Order]string{}}
	sl := slot{role: update, arg: -1, was: was}
	if stem == "vatomic_fence" {
		sl.role = fence
	}
	for _, s := range suffixes {
		if defined[stem+s.suffix] {
			f.named[s.order] = stem + s.suffix
			sl.can = append(sl.can, s.order)
		}
	}
	if !slices.Contains(sl.can, c.SeqCst) || len(sl.can) < 2 {
		return form{}, false
	}
	f.slots = []slot{sl}
	return f, true
}
