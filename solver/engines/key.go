package engines

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
)

// Key identifies the answer to a task, and finds the model that it runs under. Two tasks
// of one key have the same answer, but for their paths and the model's name: tests that
// differ in layout alone share it. Time and memory limits are left out, for only an answer
// that kept within them is worth keeping; so are witnesses, which are an addition. It
// fails on a task that has no answer.
func Key(t solver.Task) (solver.Key, *models.Model, error) {
	test, err := litmus.Parse(t.Path, t.Source)
	if err != nil {
		return solver.Key{}, nil, err
	}
	e, m, err := admit(t, test.Arch)
	if err == nil && m == nil {
		err = fmt.Errorf("architecture %s has no model of its own", test.Arch)
	}
	if err != nil {
		return solver.Key{}, nil, err
	}
	o := t.Options
	o.Timeout, o.Memory, o.Witnesses = 0, 0, false
	options, err := json.Marshal(o)
	if err != nil {
		return solver.Key{}, nil, err
	}
	k := solver.Key{Engine: e.Name, Version: e.Version()}
	h := sha256.New()
	for _, part := range []string{litmus.Normalise(test), m.Key(), k.Engine, fmt.Sprint(k.Version), string(options)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	h.Sum(k.Hash[:0])
	return k, m, nil
}
