package display

import (
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
)

// Help describes a set or relation in a sentence or two, by the name that drawings and explanations use. If the model
// defines or shows the name, the text is the model's comment, else it is ours. It is "" for a name without a comment
// and for an expression. The model may be nil.
//
// A relation that the model defines without a comment gets no help: a description of ours could contradict the
// definition.
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

// comment returns the comment of the last definition of a name, or of the relation shown under it.
//
// The last definition counts because a later one hides those before it.
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

// defines reports whether the model itself defines a name.
func defines(m *models.Model, name string) bool {
	return m != nil && slices.ContainsFunc(m.Defs, func(d *cat.Def) bool { return d.Name == name })
}
