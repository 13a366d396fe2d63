package evaluation

import (
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/models/cat"
)

// Definition is a definition or an axiom of a model with its place in the text.
type Definition struct {
	Name string `json:"name"`
	Help string `json:"help,omitempty"` // its comment
	File string `json:"file"`           // as the model includes it; the model's own name for its own text
	From int    `json:"from"`           // lines, from 1
	To   int    `json:"to"`
}

// DefinitionOf returns the place and the comment of the definition name.
func DefinitionOf(name string, s cat.Source) Definition {
	return Definition{Name: name, Help: s.Doc, File: s.File, From: s.From, To: s.To}
}

// Source is the broken axiom in the model's text.
func (v *Violation) Source() *Definition {
	d := DefinitionOf(v.Axiom, v.axiom.Source)
	return &d
}

// Definitions returns the places of v.Uses.
func (v *Violation) Definitions() []Definition { return definitions(v.Uses) }

func definitions(defs []*cat.Def) []Definition {
	var out []Definition
	for _, d := range defs {
		out = append(out, DefinitionOf(d.Name, d.Source))
	}
	return out
}

// Sentence says what the axiom requires and how x breaks it. For a violation that Derive has found, its edges continue
// the sentence.
func (v *Violation) Sentence(x *models.Execution) string {
	return Law(v.axiom) + " " + v.failure(x)
}

// Law says in a sentence what an axiom requires: the first sentence of its comment, or one made from its kind and its
// relation.
func Law(a cat.Axiom) string {
	if doc := cat.Sentence(a.Source.Doc); doc != "" {
		return strings.TrimSuffix(doc, ".") + "."
	}
	what := named(a.Expr)
	switch {
	case a.Kind == cat.Acyclic && a.Negated:
		return "There must be a cycle in " + what + "."
	case a.Kind == cat.Acyclic:
		return "A single order must agree with all of " + what + "."
	case a.Kind == cat.Irreflexive && a.Negated:
		return "Some event must be related to itself by " + what + "."
	case a.Kind == cat.Irreflexive:
		return "No event may be related to itself by " + what + "."
	case a.Negated:
		return "There must be a pair or an event in " + what + "."
	case isUpdate(a.Expr):
		return "No other write may come between the load and the store of an atomic update: " + what + " is empty."
	}
	return "Nothing may be in " + what + "."
}

// failure says how an execution breaks the axiom.
func (v *Violation) failure(x *models.Execution) string {
	switch {
	case len(v.Edges) == 0:
		return "This execution breaks the axiom."
	case isUpdate(v.axiom.Expr):
		return "Here another write comes between them:"
	case v.Kind != cat.Acyclic:
		return "This execution breaks the axiom:"
	}
	if loc := v.location(x); loc != "" {
		return "Here the threads would see the accesses of " + loc + " out of order:"
	}
	return "Here a single order would have to contain this cycle:"
}

// location returns the name of the location that all events of the cycle access; "" if there are several.
func (v *Violation) location(x *models.Execution) string {
	loc := x.Events[v.Events[0]].Loc
	if loc < 0 || slices.ContainsFunc(v.Events, func(e int) bool { return x.Events[e].Loc != loc }) {
		return ""
	}
	return x.Program.Locs[loc].Name
}

// isUpdate recognises the atomicity axiom: an intersection of rmw with another relation that must be empty.
func isUpdate(e cat.Expr) bool {
	b, ok := e.(cat.Binary)
	if !ok || b.Op != cat.Inter {
		return false
	}
	isRMW := func(e cat.Expr) bool { base, ok := e.(cat.Base); return ok && base.Name == "rmw" }
	return isRMW(b.X) || isRMW(b.Y)
}

// maxNamed bounds an expression that is quoted in a sentence, in bytes.
const maxNamed = 120

// named prints an expression for a sentence: the members of a union one by one.
func named(e cat.Expr) string {
	var members []string
	var visit func(cat.Expr)
	visit = func(e cat.Expr) {
		if b, ok := e.(cat.Binary); ok && b.Op == cat.Union {
			visit(b.X)
			visit(b.Y)
			return
		}
		text := exprText(e)
		if _, ok := e.(cat.Binary); ok { // in parentheses
			text = text[1 : len(text)-1]
		}
		members = append(members, text)
	}
	visit(e)
	text := members[0]
	if n := len(members); n > 1 {
		text = strings.Join(members[:n-1], ", ") + " and " + members[n-1]
	}
	if len(text) > maxNamed {
		return "its relation"
	}
	return text
}
