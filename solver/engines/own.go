package engines

import (
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
)

// MaxOwn bounds a question's own models.
const MaxOwn = 16

// ownName is the pattern for names of users' models: it excludes separators of a variant's name.
var ownName = litmus.Pattern(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// NamesOwn reports whether a user's model can have a name.
func NamesOwn(name string) bool { return ownName().MatchString(name) && !models.IsBuiltIn(name) }

// OwnModel is the question's own model with a name, or the one of which the name is a variant.
func (q *Question) OwnModel(name string) (solver.OwnModel, bool) {
	base, _ := models.Split(name)
	i := slices.IndexFunc(q.Own, func(m solver.OwnModel) bool { return m.Name == base })
	if i < 0 {
		return solver.OwnModel{}, false
	}
	return q.Own[i], true
}

// checkOwn returns an error for an invalid name of a question's own model.
func (q *Question) checkOwn() error {
	if len(q.Own) > MaxOwn {
		return fmt.Errorf("%d models of your own: a question accepts at most %d", len(q.Own), MaxOwn)
	}
	seen := map[string]bool{}
	for _, m := range q.Own {
		switch {
		case !ownName().MatchString(m.Name):
			return fmt.Errorf("the name %q of your model: want at most 64 letters, digits, - and _",
				litmus.Shorten(m.Name))
		case models.IsBuiltIn(m.Name):
			return fmt.Errorf("your model has the name %s of a built-in model: choose another name", m.Name)
		case seen[m.Name]:
			return fmt.Errorf("two of your models have the name %s: rename one", m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

// BadOwn is an invalid own model of the question, with its error.
type BadOwn struct {
	Model  string           `json:"model"` // as asked for
	Errors litmus.ErrorList `json:"errors"`
}

// readOwn returns the error of an own model, or of the wanted variant.
func (q *Question) readOwn(model string) error {
	if m, _ := q.OwnModel(model); m.Text == "" { // which a task would take for none
		_, err := models.Parse(m.Name, "", dialect.Vocabulary())
		return err
	}
	_, err := findModel(q.Task(model).Params(), model)
	return err
}

// Fault is the error of the own model with a name, or nil.
func (in *Inspection) Fault(model string) litmus.ErrorList {
	for _, b := range in.BadOwn {
		if b.Model == model {
			return b.Errors
		}
	}
	return nil
}
