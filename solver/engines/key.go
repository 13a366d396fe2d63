package engines

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"litmuscope/litmus/cprog"
	"litmuscope/litmus/dialect"
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
	return keyOf(e, "text", trimmed(t.Source), model, string(options)), nil
}

// VerifyKey is Key for programs, whose answers name their files.
func VerifyKey(t solver.VerifyTask) (solver.Key, error) {
	e, err := Find(t.Engine)
	if err != nil {
		return solver.Key{}, err
	}
	own := t.ModelText != ""
	model, err := modelKey(e, solver.Task{Model: e.ModelFor(t.Model, tongueOf(t)), ModelText: t.ModelText, ModelFiles: t.ModelFiles})
	if err != nil {
		return solver.Key{}, err
	}
	if !own { // an own model's name may say what atomics are compiled to
		t.Model = ""
	}
	t.Path, t.ModelText, t.ModelFiles = "", "", nil
	o := t.Options
	o.Timeout, o.Memory, o.Witnesses = 0, 0, false
	options, err := json.Marshal(o)
	if err != nil {
		return solver.Key{}, err
	}
	t.Options = solver.Options{}
	task, err := json.Marshal(t)
	if err != nil {
		return solver.Key{}, err
	}
	return keyOf(e, fmt.Sprint("program ", cprog.Version), string(task), model, string(options)), nil
}

// keyOf is the key of an answer of an engine that all this decides together.
func keyOf(e *Engine, kind, source, model, options string) solver.Key {
	k := solver.Key{Engine: e.Name, Version: e.Version()}
	h := sha256.New()
	for _, part := range []string{kind, source, model, k.Engine, fmt.Sprint(k.Version), options} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write([]byte(part))
	}
	h.Sum(k.Hash[:0])
	return k
}

// trimmed is a text without the blanks at the ends of its lines, which neither mean nor
// move anything.
func trimmed(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight(line, " \t\r"))
		b.WriteByte('\n')
	}
	return b.String()
}

// modelKey identifies what a task's model says. Where that is for the test to say, and its
// first word does not, the whole library identifies it.
func modelKey(e *Engine, t solver.Task) (string, error) {
	if t.ModelText != "" {
		_, without := models.Split(t.Model)
		return models.VariantKey(models.TextKey(t.ModelText, t.ModelFiles), without), nil
	}
	m, err := findModel(t, e.ModelFor(t.Model, dialect.Tongue(t.Source)))
	switch {
	case err != nil:
		return "", err
	case m == nil:
		return models.TextKey("", nil), nil
	}
	return m.Key(), nil
}

// Readdress makes a result that was kept under a task's key the task's own: what the key
// does not know of is the test's path, and what the model is called.
func Readdress(r *solver.Result, t solver.Task) {
	r.Path, r.Cached = t.Path, true
	if t.ModelText != "" {
		r.Model = t.Model
		return
	}
	if e, err := Find(t.Engine); err == nil {
		if m, ok := models.Find(e.ModelFor(t.Model, dialect.Tongue(t.Source))); ok {
			r.Model = m.Name
		}
	}
}
