package language

import (
	"strings"
	"sync"

	"litmuscope/models/cat"
)

// modelTokens takes a model's text apart.
func modelTokens(name, text string) []token {
	marks := cat.Marks(name, text)
	known := modelWordKinds()
	out := make([]token, 0, len(marks))
	inEnum := false
	for i, m := range marks {
		t := token{from: m.From, to: m.To, column: -1}
		switch m.Kind {
		case cat.MarkKeyword:
			inEnum = m.Text == "enum"
		case cat.MarkNumber, cat.MarkText:
			inEnum = false
		}
		switch m.Kind {
		case cat.MarkComment:
			t.kind = comment
		case cat.MarkText:
			t.kind = quoted
			if i > 0 && marks[i-1].Kind == cat.MarkKeyword && marks[i-1].Text == "include" {
				t.of = symbol{files, 0, m.Text}
			}
		case cat.MarkKeyword:
			t.kind = keyword
		case cat.MarkTagName:
			t.kind, t.of, t.defines = tag, symbol{tags, 0, setOfTag(m.Text)}, inEnum
		case cat.MarkNumber:
			t.kind = number
		case cat.MarkName:
			t.kind, t.of, t.defines = nameKind(m, known), symbol{topNames, 0, m.Text}, m.Name.Def == i
			if m.Name.Def >= 0 {
				t.of.thread = m.Name.Def + 1 // of those that define a name again, the one that is meant
			}
			if m.Name.Def >= 0 && !m.Name.Top {
				t.of.space = localNames
			}
		default:
			t.kind = punctuation
		}
		out = append(out, t)
	}
	return out
}

// setOfTag is the name of the set of a tag's events: in a model, it means the tag.
func setOfTag(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func nameKind(m cat.Mark, known map[string]string) kind {
	switch m.Name.Kind {
	case cat.Function, cat.Procedural:
		return function
	case cat.Parameter:
		return parameter
	case cat.Defined:
		return definition
	case cat.CheckName:
		return heading
	}
	switch known[m.Text] {
	case "function", "procedure":
		return function
	case "set", "relation":
		return relation
	}
	return definition // a file's that is included
}

// modelWordKinds are the kinds of the words that every model may use.
var modelWordKinds = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{}
	for _, w := range modelVocabulary().Words {
		kinds[w.Name] = w.Kind
	}
	return kinds
})
