//go:build js && wasm

package main

import (
	"context"
	"encoding/json"

	"litmuscope/solver"
)

// mostKept bounds the answers that are kept, in bytes of JSON.
const mostKept = 32 << 20

// kept keeps answers for as long as the page is there. One goroutine runs at a time here.
type kept struct {
	answers map[solver.Key]*keptAnswer
	order   []solver.Key // the oldest first
	size    int
}

type keptAnswer struct {
	body      []byte
	witnesses bool
}

// Answer implements batch.Cache.
func (k *kept) Answer(_ context.Context, key solver.Key, witnesses bool, into solver.Answer) (bool, error) {
	a := k.answers[key]
	if a == nil || witnesses && !a.witnesses {
		return false, nil
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return false, err
	}
	if !witnesses {
		into.DropWitnesses()
	}
	return true, nil
}

// PutAnswer implements batch.Cache.
func (k *kept) PutAnswer(_ context.Context, key solver.Key, witnesses bool, a solver.Answer) error {
	old := k.answers[key]
	if *a.Head().Status != solver.OK || *a.Head().Cut != "" || old != nil && old.witnesses && !witnesses {
		return nil
	}
	body, err := json.Marshal(a)
	if err != nil || len(body) > mostKept/8 {
		return err
	}
	if k.answers == nil {
		k.answers = map[solver.Key]*keptAnswer{}
	}
	if old == nil {
		k.order = append(k.order, key)
	} else {
		k.size -= len(old.body)
	}
	k.answers[key] = &keptAnswer{body, witnesses}
	for k.size += len(body); k.size > mostKept; k.order = k.order[1:] {
		k.size -= len(k.answers[k.order[0]].body)
		delete(k.answers, k.order[0])
	}
	return nil
}
