package display

import (
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
)

// Help says in a sentence or two what a set or relation is, by the name that drawings and
// explanations give it: in the words of the model's own comment where it defines it, or
// shows it under that name, otherwise in ours. It is "" for one without a comment, and for
// an expression. The model may be nil.
func Help(m *models.Model, name string) string {
	name, back := strings.CutSuffix(name, "^-1")
	help := comment(m, name)
	if help == "" && !defines(m, name) {
		var tags []string
		for _, t := range dialect.Vocabulary().Tags {
			tags = append(tags, string(t))
		}
		help = cat.Help(name, tags)
	}
	if help != "" && back {
		help = strings.TrimSuffix(help, ".") + "; here from the second to the first."
	}
	return help
}

// comment is the comment of the last definition of a name, or of what is shown under it.
func comment(m *models.Model, name string) string {
	if m == nil {
		return ""
	}
	for _, s := range m.Shows {
		if s.Name == name && s.Source.Doc != "" {
			return s.Source.Doc
		}
	}
	for _, d := range slices.Backward(m.Defs) {
		if d.Name == name && d.Source.Doc != "" {
			return d.Source.Doc
		}
	}
	return ""
}

// defines tells whether a name means something of the model's own.
func defines(m *models.Model, name string) bool {
	return m != nil && slices.ContainsFunc(m.Defs, func(d *cat.Def) bool { return d.Name == name })
}
