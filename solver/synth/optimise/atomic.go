package optimise

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/orders"
	"litmuscope/litmus/change"
	"litmuscope/litmus/ir"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// mostAtomics is the number of plain objects that a repair may declare _Atomic.
const mostAtomics = 16

// offerAtomics adds a change for each plain object in a data race: to declare the object _Atomic. An answer names one
// race. So the function asks again with all known changes in place, until no further object races.
// It first asks about the program as written, where objects may race only because other accesses are weak.
func (r *repairer) offerAtomics(ctx context.Context) error {
	place := orders.Place{Does: []string{orders.Atomics}}
	cost, ok := r.cost(place, c.SeqCst)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for asWritten := true; len(seen) < mostAtomics; asWritten = false {
		now := slices.Clone(r.base)
		if !asWritten {
			for i, options := range r.orders {
				now[i] = options[len(options)-1]
			}
		}
		names, err := r.racing(ctx, r.text.With(now, false))
		if err != nil {
			return err
		}
		offered := false
		for _, at := range names {
			found, err := r.declared(at.pair, at.name)
			if err != nil {
				return err
			}
			for _, o := range found {
				key := fmt.Sprint(o.Name, o.At)
				if seen[key] {
					continue
				}
				seen[key] = true
				why := o.Why
				if why == "" {
					why = r.text.AddAtomic(o.Name, o.At)
				}
				if why != "" {
					r.refused = append(r.refused, fmt.Sprintf("%s cannot be made _Atomic: %s", o.Name, why))
					continue
				}
				offered = true
				r.base = append(r.base, c.Relaxed)
				r.orders = append(r.orders, []c.Order{c.Relaxed, c.SeqCst})
				r.set.Slots = append(r.set.Slots, change.Slot{
					Options: []change.Option{{Below: []int{0}}, {Cost: cost, Below: []int{0, 1}}},
				})
			}
		}
		if !offered && !asWritten {
			break
		}
	}
	r.failed = nil // failures of choices with fewer places
	return nil
}

// raced is the name of an object in a data race, and the pair that found it.
type raced struct {
	pair int
	name string
}

// A declaration has no position in the list of orders before a race names its object, so the search adds these slots
// after the first question. Their options are two: plain, and _Atomic with seq_cst accesses.

// racing asks each client once under each model for a data race.
func (r *repairer) racing(ctx context.Context, changed map[string]string) (out []raced, err error) {
	asked := map[string]bool{}
	for pair, t := range r.Pairs {
		if asked[t.Path+"\n"+t.Model] {
			continue
		}
		asked[t.Path+"\n"+t.Model] = true
		task := r.task(pair, changed)
		task.Properties, task.Options.Witnesses, task.Volatile, task.Plain = []ir.Property{ir.DataRace}, false, "", ""
		v, err := batch.Ask(ctx, r.Runner, task)
		if err != nil {
			return nil, err
		}
		r.count()
		if v.Failure != nil && v.Failure.Object != "" {
			out = append(out, raced{pair, v.Failure.Object})
		}
	}
	return out, nil
}

// An engine names an object by an expression such as q.next or a[3], not by a declaration, and several declarations may
// have the name. Each of them becomes a possible change, and the search finds out which ones it needs.

// declared finds the declarations of an object that a data race names: of q.next the field, of a[3] the array. If no
// field has the name, as for bit-fields that share a location, it returns those of the structure.
func (r *repairer) declared(pair int, name string) ([]engines.Declared, error) {
	path := strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == '-' || c == '>' })
	if len(path) == 0 {
		return nil, nil
	}
	last, _, _ := strings.Cut(path[len(path)-1], "[")
	first, _, _ := strings.Cut(path[0], "[")
	found, err := engines.DeclaredBy(r.task(pair, nil), last)
	if err == nil && len(found) == 0 && first != last {
		found, err = engines.DeclaredBy(r.task(pair, nil), first)
	}
	return found, err
}

// refusals returns which objects in data races cannot be declared _Atomic, as the continuation of a sentence; "" if
// all can.
func (r *repairer) refusals() string {
	if len(r.refused) == 0 {
		return ""
	}
	return "; " + strings.Join(r.refused, "; ")
}
