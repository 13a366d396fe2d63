package read

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// RelaxedOptions say which plain accesses count as relaxed atomic ones: code from before C11 synchronises by volatile
// variables, and by plain ones. A read is then a relaxed load, a write a relaxed store, and an operator that reads and
// writes (v++) stays a load and a store.
type RelaxedOptions struct {
	Volatile bool     // all accesses of volatile objects
	Names    []string // accesses of variables and of structures' fields of these names
}

// names reports whether d declares a variable or a field that the options name.
func (o RelaxedOptions) names(d *cc.Declarator) bool {
	return len(o.Names) > 0 && !d.IsTypename() && slices.Contains(o.Names, d.Name())
}

// Relax sets the options. It has to come before any question about an lvalue. It fails where the program s declares
// nothing by one of the names.
func (q *Qualifiers) Relax(o RelaxedOptions, s Source) error {
	q.options = o
	if len(o.Names) == 0 {
		return nil
	}
	var declared []string
	for d := range q.specifiers {
		if t := d.Type(); d.IsTypename() || t != nil && t.Kind() == cc.Function ||
			strings.HasPrefix(d.Position().Filename, BuiltIn) {
			continue
		}
		declared = append(declared, d.Name())
	}
	slices.Sort(declared)
	var errs litmus.ErrorList
	for _, name := range o.Names {
		if !slices.Contains(declared, name) {
			errs = append(errs, litmus.Errorf(litmus.Pos{File: s.first(), Line: 1, Col: 1},
				"--plain: the program declares no variable and no field %s%v", litmus.Shorten(name),
				litmus.DidYouMean(name, declared)))
		}
	}
	return errs.Err()
}

// first names the program's first file.
func (s Source) first() string {
	if len(s.Files) == 0 {
		return ""
	}
	return s.Files[0].Name
}

// Relaxed reports whether plain accesses of the lvalue e count as relaxed atomic ones.
func (q *Qualifiers) Relaxed(e cc.ExpressionNode) bool {
	t := q.expression(e)
	for t.kind == arrayShape { // an array is as its elements are
		t = t.of
	}
	return t.relaxed || t.volatile && q.options.Volatile
}

// asRelaxed is t of an object that the options name; an array hands it to its elements.
func (t *qualified) asRelaxed() *qualified {
	c := *t
	if t.kind == arrayShape {
		c.of = t.below().asRelaxed()
	} else {
		c.relaxed = true
	}
	return &c
}
