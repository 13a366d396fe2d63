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

// ownName is what an own model may be called: nothing that a variant's name would be taken
// apart at.
var ownName = litmus.Pattern(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// OwnModel is the model of the question's own that a name is of, or of a variant of.
func (q *Question) OwnModel(name string) (solver.OwnModel, bool) {
	base, _ := models.Split(name)
	i := slices.IndexFunc(q.Own, func(m solver.OwnModel) bool { return m.Name == base })
	if i < 0 {
		return solver.OwnModel{}, false
	}
	return q.Own[i], true
}

// checkOwn says what is wrong with how a question's own models are called.
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

// BadOwn is a model of the question's own that cannot be asked, and why.
type BadOwn struct {
	Model  string           `json:"model"` // as asked for
	Errors litmus.ErrorList `json:"errors"`
}

// readOwn says what is wrong with an own model, or with the variant asked for.
func (q *Question) readOwn(model string) error {
	if m, _ := q.OwnModel(model); m.Text == "" { // which a task would take for none
		_, err := models.Parse(m.Name, "", dialect.Vocabulary())
		return err
	}
	_, err := findModel(q.Task(model).Params(), model)
	return err
}

// Fault is what is wrong with an own model of a name, or nil.
func (in *Inspection) Fault(model string) litmus.ErrorList {
	for _, b := range in.BadOwn {
		if b.Model == model {
			return b.Errors
		}
	}
	return nil
}
