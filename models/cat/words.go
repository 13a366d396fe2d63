package cat

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Word is a name that models may use, for editors.
type Word struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // keyword, set, relation, function or procedure
	Help string `json:"help"`
}

// wordHelps describe the keywords and functions of the language, one line each.
var wordHelps = map[string]string{
	"let":              "gives a set, a relation or a function a name",
	"rec":              "let rec: sets and relations that are defined in terms of themselves: the smallest solution",
	"and":              "one more definition of the same let",
	"in":               "let … in …: a name within one expression",
	"acyclic":          "an axiom: the relation has no cycle",
	"irreflexive":      "an axiom: the relation relates no event to itself",
	"empty":            "an axiom: the set or relation is empty",
	"as":               "the name of an axiom, or of a shown relation",
	"show":             "relations to draw",
	"unshow":           "relations not to draw",
	"include":          "reads another file: include \"file.cat\"",
	"flag":             "a check that marks executions and forbids none",
	"undefined_unless": "a check without which the program's behaviour is undefined",
	"procedure":        "declarations with parameters, for call",
	"call":             "calls a procedure",
	"end":              "ends a procedure, a match, an if or a begin",
	"with":             "with x from S: for some member of S",
	"from":             "with x from S: for some member of S",
	"enum":             "names tags",
	"instructions":     "which tags instructions may carry",
	"fun":              "a function without a name",
	"try":              "try a with b: b where a name in a is not defined",
	"match":            "chooses a case by a tag, or by whether a set is empty",
	"if":               "if a variant is on; here, none is",
	"then":             "declarations for when the condition is true",
	"else":             "declarations for when the condition is false",
	"begin":            "a parenthesis",
	"assert":           "a check of the model itself",
	"forall":           "forall x in S do … end: declarations for each tag or relation of S",
	"do":               "forall x in S do … end: declarations for each tag or relation of S",
	"when":             "let rec … when acyclic r: a recursion, and an axiom about its result",
	"subset":           "if s subset t: every tag of s is in t",

	"emptyset":     "the empty set or relation: {}",
	"domain":       "domain(r): the first events of r's pairs",
	"range":        "range(r): the second events of r's pairs",
	"toid":         "toid(S): [S], which relates each event of S to itself",
	"generate_cos": "coherence orders; here, co is that of the execution",
	"ctrlcfence":   "ctrlcfence(S): control dependencies with a fence of S after the branch",
	"classes":      "classes(r): the set of the equivalence classes of r, for forall, map and fold",
	"partition":    "partition(S): the set of the sets of S's events of each location, for forall, map and fold",
	"map":          "map f S: the set of f applied to each member of S",

	"fold":           "fold f (S, x): f applied to a member of S and the fold of the others; x for the empty set",
	"tag2events":     "tag2events t: the events that have the tag",
	"tag2scope":      "tag2scope t: relates the events of threads that share a scope of the kind t",
	"linearisations": "linearisations(S, r): the total orders over S that agree with r, for with",
	"linearizations": "linearizations(S, r): the total orders over S that agree with r, for with",
	"generate_orders": "generate_orders(S, r): orders over the events of S of each location that agree with r, for " +
		"with",

	"different-values": "different-values(r): the pairs of r that read or write different values",
}

// Words lists the names of the language itself: keywords, base sets and relations, functions.
func Words() []Word {
	var out []Word
	add := func(name, kind string) { out = append(out, Word{name, kind, cmp.Or(wordHelps[name], helps[name])}) }
	for _, k := range keywords {
		add(k, "keyword")
	}
	for name, kind := range bases {
		add(name, kind.String())
	}
	for name := range builtins {
		add(name, "function")
	}
	add("emptyset", Set.String())
	slices.SortFunc(out,
		func(a, b Word) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return out
}

// Definitions lists what a file defines for the files that include it. The help of each is the first sentence of its
// comment, or else the text of the definition.
func Definitions(file, source string) ([]Word, error) {
	f, err := Parse(file, source)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(source, "\n")
	var out []Word
	add := func(name, kind string, pos litmus.Pos, doc string) {
		out = append(out, Word{name, kind, cmp.Or(Sentence(doc), definition(lines[pos.Line-1:]))})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case Let:
			for _, b := range d.Bindings {
				kind := "relation" // or a set: evaluation shows which
				if b.Params != nil {
					kind = "function"
				}
				for _, name := range append(b.Names, b.Name) {
					if name != "" {
						add(name, kind, b.Pos, b.Source.Doc)
					}
				}
			}
		case Procedure:
			add(d.Name, "procedure", d.Pos, "")
		}
	}
	return out, nil
}

// definition returns a definition on one line, given lines that begin with it.
func definition(lines []string) string {
	text := strings.TrimSpace(lines[0])
	for _, l := range lines[1:] {
		if l == "" || l[0] != ' ' || strings.HasSuffix(text, "*)") {
			break
		}
		text += " " + strings.TrimSpace(l)
	}
	for _, word := range []string{"let ", "rec ", "and ", "procedure "} {
		text = strings.TrimPrefix(text, word)
	}
	if name, body, ok := strings.Cut(text, "="); ok {
		text = strings.TrimSpace(name) + " = " + strings.TrimSpace(body)
	}
	if runes := []rune(text); len(runes) > 120 {
		text = string(runes[:119]) + "…"
	}
	return text
}
