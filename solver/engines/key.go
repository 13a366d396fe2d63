package engines

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"litmuscope/litmus/c/cprog"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
)

// Key identifies the answer to a question, without a look into its test or its model's text: two questions with one key
// have the same answer, except for the paths of tests. It contains everything that the answer depends on: the text and
// all that it may include, the model's text with all that it may include, the model's name, which chooses a .bell file
// and a program's target and is in remarks and explanations, the options, and the versions of the engine and of what
// reads texts. It omits time and memory limits, because no cache keeps an answer that one of them cut ([solver.Head]'s
// Cut); so are witnesses, which are an addition. It fails where there is no such engine or model.
func Key(q solver.Question) (solver.Key, error) {
	if t, ok := q.(solver.Task); ok && t.Program != nil {
		return solver.Key{}, errors.New("parts of an exploration are not cached")
	}
	params := q.Params()
	e, err := Find(params.Engine)
	if err != nil {
		return solver.Key{}, err
	}
	name, model, err := modelKey(e, params, tongueOf(q))
	if err != nil {
		return solver.Key{}, err
	}
	o := params.Options
	o.Timeout, o.Memory, o.Witnesses = 0, 0, false
	options, err := json.Marshal(o)
	if err != nil {
		return solver.Key{}, err
	}
	t, program := q.(solver.VerifyTask)
	if !program {
		return keyOf(e, "text", trimmed(q.(solver.Task).Source), name, model, string(options)), nil
	}
	t.Model, t.ModelText, t.ModelFiles, t.Options = "", "", nil, solver.Options{}
	if t.Volatile == solver.CountPlain { // as when nobody says
		t.Volatile = ""
	}
	task, err := json.Marshal(t) // with its path, which answers about programs name
	if err != nil {
		return solver.Key{}, err
	}
	return keyOf(e, "program", string(task), name, model, string(options)), nil
}

// keyOf is the key of an answer of an engine that all this decides together.
func keyOf(e *Engine, kind, source, name, model, options string) solver.Key {
	k := solver.Key{Engine: e.Name, Version: e.KeyVersion()}
	h := sha256.New()
	for _, part := range []string{kind, source, name, model, k.Engine, fmt.Sprint(k.Version), readers(), options} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write([]byte(part))
	}
	h.Sum(k.Hash[:0])
	return k
}

// KeyVersion grows whenever an answer of the engine may be another one: with its own version, and with those of what
// reads tests and programs. The cache drops answers of a lower one.
func (e *Engine) KeyVersion() int { return e.Version() + dialect.Version + cprog.Version }

// readers identifies what reads texts, with the headers that programs may include.
var readers = sync.OnceValue(func() string {
	return fmt.Sprint(dialect.Version, cprog.Version, cprog.HeadersKey())
})

// trimmed is a text without the blanks at the ends of its lines, which neither mean nor
// move anything.
func trimmed(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		b.WriteString(strings.TrimRight(line, " \t"))
		b.WriteByte('\n')
	}
	return b.String()
}

// modelKey is the name of a question's model, and a hash of its whole text.
func modelKey(e *Engine, t solver.QuestionParams, tongue string) (name, key string, err error) {
	if t = ofVersion(t, t.Model); t.ModelText != "" {
		_, without := models.Split(t.Model)
		return t.Model, models.VariantKey(models.TextKey(t.ModelText, t.ModelFiles), without), nil
	}
	m, err := findModel(t, e.ModelFor(t.Model, tongue))
	switch {
	case err != nil:
		return "", "", err
	case m == nil: // the test is to say, and does not: the whole library identifies it
		return "", models.TextKey("", nil), nil
	}
	return m.Name, m.Key(), nil
}

// Readdress turns a cached answer under a question's key into the question's own: what the key does not know of is the
// path of a test.
func Readdress(a solver.Answer, q solver.Question) {
	t, h := q.Params(), a.Head()
	*h.Path, *h.Cached = t.Path, true
}
