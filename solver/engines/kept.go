package engines

import (
	"fmt"
	"slices"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
)

// kept caches users' models, and variants, by name and text, the most recently used ones: whoever compares models asks
// under each of them in turn, thousands of times. A model is worth keeping for what engines have made of it, too.
var kept, _ = lru.New[string, *models.Model](maxKept) // which fails for no size alone

const (
	maxKept     = 256      // more than any built-in model has parts
	maxKeptText = 64 << 10 // bytes of a model and its files; a larger one is parsed anew
)

// findModel is the model in a question's own text, or the built-in one of a name, or the
// variant of either that the name asks for; nil for no name.
func findModel(t solver.QuestionParams, name string) (m *models.Model, err error) {
	if t = ofVersion(t, name); t.ModelText == "" {
		if _, without := models.Split(name); name == "" {
			return nil, nil
		} else if len(without) == 0 {
			if m, err = models.Named(name); err != nil {
				err = fmt.Errorf("%w, or a published version: %s", err, strings.Join(published.Names(), ", "))
			}
			return m, err
		}
		return cachedModel([]string{name}, func() (*models.Model, error) { return models.Named(name) })
	}
	read := func() (*models.Model, error) {
		base, without := models.Split(t.Model)
		m, err := models.ParseWith(base, t.ModelText, t.ModelFiles, dialect.Vocabulary())
		if err == nil {
			m, err = m.Less(without)
		}
		if err != nil {
			return nil, err
		}
		m.Name = t.Model // as written, in cached results too
		return m, nil
	}
	parts := []string{t.Model, t.ModelText}
	for file, text := range t.ModelFiles {
		parts = append(parts, file+"\x00"+text)
	}
	slices.Sort(parts[2:])
	return cachedModel(parts, read)
}

// ofVersion returns the parameters of a question with the text of the model that they name, if that is a published
// version of a model that is not built in.
func ofVersion(t solver.QuestionParams, name string) solver.QuestionParams {
	base, _ := models.Split(name)
	if v, ok := published.Find(base); ok && t.ModelText == "" && v.Text != "" {
		t.Model, t.ModelText = name, v.Text
	}
	return t
}

// cachedModel returns the cached model of some texts, or reads it now. No text of a model contains a NUL, which
// separates the texts in the key.
func cachedModel(parts []string, read func() (*models.Model, error)) (*models.Model, error) {
	key := strings.Join(parts, "\x00\x00")
	if len(key) > maxKeptText {
		return read()
	}
	if m, ok := kept.Get(key); ok {
		return m, nil
	}
	m, err := read()
	if err == nil {
		kept.Add(key, m)
	}
	return m, err
}
