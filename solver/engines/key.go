package engines

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"litmuscope/litmus/cprog"
	"litmuscope/models"
	"litmuscope/solver"
)

// Key identifies the answer to a question, without a look into its test or its model's text:
// two questions of one key have the same answer, but for their paths and the model's name.
// Time and memory limits are left out, for only an answer that kept within them is worth
// keeping; so are witnesses, which are an addition. It fails where there is no such engine
// or model.
func Key(q solver.Question) (solver.Key, error) {
	if t, ok := q.(solver.Task); ok && t.Program != nil {
		return solver.Key{}, errors.New("parts of executions are not kept")
	}
	terms := q.Terms()
	e, err := Find(terms.Engine)
	if err != nil {
		return solver.Key{}, err
	}
	model, err := modelKey(e, terms, tongueOf(q))
	if err != nil {
		return solver.Key{}, err
	}
	o := terms.Options
	o.Timeout, o.Memory, o.Witnesses = 0, 0, false
	options, err := json.Marshal(o)
	if err != nil {
		return solver.Key{}, err
	}
	t, program := q.(solver.VerifyTask)
	if !program {
		return keyOf(e, "text", trimmed(q.(solver.Task).Source), model, string(options)), nil
	}
	// Answers about programs name their files. An own model's name may say what atomics are compiled to.
	if t.ModelText == "" {
		t.Model = ""
	}
	t.Path, t.ModelText, t.ModelFiles, t.Options = "", "", nil, solver.Options{}
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

// modelKey identifies what a question's model says. Where that is for the test to say, and its
// first word does not, the whole library identifies it.
func modelKey(e *Engine, t solver.Terms, tongue string) (string, error) {
	if t = ofVersion(t, t.Model); t.ModelText != "" {
		_, without := models.Split(t.Model)
		return models.VariantKey(models.TextKey(t.ModelText, t.ModelFiles), without), nil
	}
	m, err := findModel(t, e.ModelFor(t.Model, tongue))
	switch {
	case err != nil:
		return "", err
	case m == nil:
		return models.TextKey("", nil), nil
	}
	return m.Key(), nil
}

// Readdress makes an answer that was kept under a question's key the question's own: what the key
// does not know of is the path, and what the model is called.
func Readdress(a solver.Answer, q solver.Question) {
	t, h := q.Terms(), a.Head()
	*h.Path, *h.Cached = t.Path, true
	if _, program := q.(solver.VerifyTask); program { // which is named by its file
		*h.Name = *q.Blank().Head().Name
	}
	if t.ModelText != "" {
		*h.Model = t.Model
		return
	}
	if e, err := Find(t.Engine); err == nil {
		if m, ok := models.Find(e.ModelFor(t.Model, tongueOf(q))); ok {
			*h.Model = m.Name
		}
	}
}
