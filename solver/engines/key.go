package engines

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
)

// Key identifies the answer to a task, without a look into its test or its model's text:
// two tasks of one key have the same answer, but for their paths and the model's name.
// Time and memory limits are left out, for only an answer that kept within them is worth
// keeping; so are witnesses, which are an addition. It fails where there is no such engine
// or model.
func Key(t solver.Task) (solver.Key, error) {
	e, err := Find(t.Engine)
	if err != nil {
		return solver.Key{}, err
	}
	model, err := modelKey(e, t)
	if err != nil {
		return solver.Key{}, err
	}
	o := t.Options
	o.Timeout, o.Memory, o.Witnesses = 0, 0, false
	options, err := json.Marshal(o)
	if err != nil {
		return solver.Key{}, err
	}
	k := solver.Key{Engine: e.Name, Version: e.Version()}
	h := sha256.New()
	source := strings.ReplaceAll(t.Source, "\r\n", "\n")
	for _, part := range []string{"text", source, model, k.Engine, fmt.Sprint(k.Version), string(options)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write([]byte(part))
	}
	h.Sum(k.Hash[:0])
	return k, nil
}

// modelKey identifies what a task's model says. Which one the test's architecture has is
// for the test to say, so that the whole library identifies it.
func modelKey(e *Engine, t solver.Task) (string, error) {
	if t.ModelText != "" {
		return models.TextKey(t.ModelText, t.ModelFiles), nil
	}
	m, err := findModel(t, e.ModelFor(t.Model, ""))
	switch {
	case err != nil:
		return "", err
	case m == nil:
		return models.TextKey("", nil), nil
	}
	return m.Key(), nil
}

// ModelName is the name that a task's model has in its results; "" where the test decides.
func ModelName(t solver.Task) string {
	if m, ok := models.Find(t.Model); ok && t.ModelText == "" {
		return m.Name
	}
	return t.Model
}
