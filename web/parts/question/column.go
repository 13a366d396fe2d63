package question

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Label returns a model's name as people write it: [models.Label], or "Your model" for the visitor's own.
func Label(name string) string {
	label := models.Label(name)
	if rest, ok := strings.CutPrefix(label, OwnModel); ok && (rest == "" || rest[0] == ' ') {
		label = "Your model" + rest
	}
	return label
}

// BaseOf returns the model of a column, given as text, with all its axioms.
func BaseOf(column string) string { return ReadColumn(column).Base() }

// Column is a column of the answer. Its text is "tso"; "tso~uniproc" for a model without an axiom; or "tso@machine"
// for another engine than the question's.
type Column struct{ Model, Engine string }

// ReadColumn parses a column's text.
func ReadColumn(text string) Column {
	model, engine, _ := strings.Cut(text, "@")
	return Column{model, engine}
}

// String returns the column's text, which ReadColumn reads.
func (c Column) String() string {
	if c.Engine == "" {
		return c.Model
	}
	return c.Model + "@" + c.Engine
}

// Base returns the name of the model with all its axioms.
func (c Column) Base() string {
	base, _ := models.Split(c.Model)
	return base
}

// InOrder sorts columns of a test in tongue: built-in models in the order of [models.Place], each with its variants;
// then the visitor's own models in their order.
func InOrder(texts []string, tongue string) {
	place := func(text string) int { return models.Place(ReadColumn(text).Model, tongue) }
	slices.SortStableFunc(texts, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
}

// Label returns the column as people write it: "TSO", "TSO · machine".
func (c Column) Label() string {
	label := Label(c.Model)
	if c.Engine != "" {
		label += " · " + c.Engine
	}
	return label
}

// Task returns the task that answers a question under the column. If the column names an engine, the task has only the
// options that this engine supports.
func (c Column) Task(q engines.Question) solver.Task {
	t := q.Task(c.Model)
	if c.Engine == "" {
		return t
	}
	t.Engine = c.Engine
	if e, err := engines.Find(c.Engine); err == nil {
		t.Options = e.Heeded(t.Options)
	}
	return t
}
