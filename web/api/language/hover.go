package language

import (
	"fmt"
	"strings"

	"litmuscope/models/cat"
	"litmuscope/web/parts/completion"
)

// hover says what the thing at a place is.
func (r *request) hover(p place) (any, error) {
	d, at, err := r.at(p)
	if err != nil {
		return nil, err
	}
	t, ok := tokenAt(d.marks(), at)
	if !ok {
		return nil, nil
	}
	text := ""
	switch d.tongue {
	case ofTests:
		text = d.aboutTest(t)
	case ofModels:
		text = r.aboutModel(d, t)
	case ofPrograms:
		text = d.aboutProgram(t)
	}
	if text == "" {
		return nil, nil
	}
	return hover{markup{"markdown", text}, d.span(t.from, t.to)}, nil
}

// said is a line of code with a sentence on it.
func said(code, help string) string {
	out := "```\n" + code + "\n```"
	if help != "" {
		out += "\n" + help
	}
	return out
}

// aboutTest says what a word of a test is.
func (d *document) aboutTest(t token) string {
	v := vocabularyFor(d.text)
	word := d.text[t.from:t.to]
	switch t.kind {
	case mnemonic:
		if !v.isC() {
			word = strings.ToUpper(word)
		}
		return aboutInstructions(d.instructions(v, t, word))
	case keyword:
		if v.isC() && t.part == code {
			return aboutInstructions(v.by[word])
		}
		if word == "~" {
			word = "~exists"
		}
		for _, k := range v.Keywords {
			if k.Name == word {
				return said(k.Name, k.Help)
			}
		}
	case register, label, locationName:
		return d.aboutName(t)
	}
	return ""
}

// instructions are those of a mnemonic; of one such as lock xaddl, those with what stands before it.
func (d *document) instructions(v *vocabulary, t token, word string) []completion.Instruction {
	if found := v.by[word]; len(found) > 0 {
		return found
	}
	if found := v.by["LOCK "+word]; len(found) > 0 {
		return found
	}
	return v.by[strings.TrimRight(word, "-+")]
}

// maxForms bounds how many forms of an instruction are shown.
const maxForms = 8

func aboutInstructions(forms []completion.Instruction) string {
	var parts []string
	for i, in := range forms {
		if i == maxForms {
			break
		}
		between := " "
		if strings.HasPrefix(in.Operands, "(") || in.Operands == "" {
			between = ""
		}
		parts = append(parts, said(in.Name+between+in.Operands, in.Help))
	}
	return strings.Join(parts, "\n\n")
}

// aboutName says whose a name is, and what the init block gives it.
func (d *document) aboutName(t token) string {
	name := d.text[t.from:t.to]
	what := ""
	switch t.of.space {
	case registers:
		what = fmt.Sprintf("A register of P%d", t.of.thread)
		if whole := t.of.name; !strings.EqualFold(whole, strings.TrimLeft(name, "$%")) {
			what += ", " + whole + " or a part of it"
		}
	case locals:
		what = fmt.Sprintf("A local variable of P%d", t.of.thread)
	case labels:
		what = fmt.Sprintf("A label of P%d", t.of.thread)
	case locations:
		what = "A location in memory"
	default:
		return ""
	}
	given := "its initial value is 0"
	if t.of.space == locals {
		given = ""
	}
	marks := d.marks()
	for i, u := range marks {
		if u.of != t.of || u.part != initial {
			continue
		}
		end := u.to
		for k := i + 1; k < len(marks) && marks[k].part == initial &&
			!strings.ContainsAny(d.text[marks[k].from:marks[k].to], ";}"); k++ {
			end = marks[k].to
		}
		if item := strings.TrimSpace(d.text[u.to:end]); strings.HasPrefix(item, "=") || strings.HasPrefix(item, "[") {
			given = "its initial value is " + strings.TrimSpace(strings.TrimPrefix(item, "="))
			break
		}
	}
	if t.of.space == labels || given == "" {
		return said(name, what+".")
	}
	return said(name, what+"; "+given+".")
}

// aboutModel says what a word of a model is: by its own comment where somebody has defined it, else by the tables.
func (r *request) aboutModel(d *document, t token) string {
	word := d.text[t.from:t.to]
	known := modelVocabulary()
	switch t.of.space {
	case files:
		for _, f := range known.Files {
			if f.Name == t.of.name {
				return said("include \""+f.Name+"\"", f.Help)
			}
		}
		return ""
	case topNames, localNames, tags:
		if def, in := r.definition(d, t); in != nil {
			return in.aboutDefinition(def)
		}
	}
	if t.kind == comment || t.kind == quoted || t.kind == punctuation {
		return ""
	}
	for _, w := range known.Words {
		if w.Name == word {
			return said(w.Name, w.Help)
		}
	}
	return ""
}

// aboutDefinition is a definition's text with its comment.
func (d *document) aboutDefinition(t token) string {
	if t.kind == parameter {
		return said(d.text[t.from:t.to], "A parameter.")
	}
	if t.kind == tag {
		return said(strings.TrimSpace(d.line(d.position(t.from).Line)),
			"A tag of this type; the set of the events that have it is "+t.of.name+".")
	}
	for _, w := range definitions(d) {
		if w.at == t.from {
			return said(w.text, w.doc)
		}
	}
	line := strings.TrimSpace(d.line(d.position(t.from).Line))
	return said(line, "")
}

// defined is a definition of a model's as its reader has it.
type defined struct {
	at        int
	text, doc string
}

func definitions(d *document) []defined {
	var out []defined
	for _, m := range cat.Marks(d.name(), d.text) {
		if m.Name == nil || m.Name.Kind == cat.Parameter || m.Name.Doc == "" && m.Name.Kind != cat.Function &&
			m.Name.Kind != cat.Defined && m.Name.Kind != cat.Procedural {
			continue
		}
		if text := d.text[m.From:m.To]; text == m.Text {
			line := strings.TrimSpace(d.line(d.position(m.From).Line))
			if i := strings.Index(line, "(*"); i > 0 {
				line = strings.TrimSpace(line[:i])
			}
			out = append(out, defined{m.From, line, cat.Sentence(m.Name.Doc)})
		}
	}
	return out
}

// aboutProgram says what a call in a program does.
func (d *document) aboutProgram(t token) string {
	if t.kind != mnemonic && t.kind != locationName {
		return ""
	}
	name := d.text[t.from:t.to]
	for _, c := range programVocabulary().Calls {
		if c.Name == name {
			return said(c.Name+c.Operands, c.Help)
		}
	}
	return ""
}
