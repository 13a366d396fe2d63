package lesson

import (
	"strings"

	"litmuscope/litmus"
)

// mappings reads a block that shows the translations of a test in C by several mappings, with a claim about each:
func (in *reading) mappings(f fence) {
	opts := in.options(f, "test", "model", "expect")
	m := &Mappings{ID: in.name("compile"), Pos: f.at, Source: f.text, Classic: opts["test"], Model: opts["model"]}
	in.lesson.Blocks = append(in.lesson.Blocks, m)
	p := in.program(&m.Source, &m.Classic, f, f.line)
	if p == nil {
		return
	}
	m.Title = p.Name
	if m.Model == "" {
		m.Model = "rc11"
	}
	for _, one := range strings.FieldsFunc(opts["expect"], func(r rune) bool { return r == ';' || r == ',' }) {
		words := strings.Fields(one)
		if len(words) != 2 || Property(words[1]) != Right && Property(words[1]) != Wrong {
			in.fail(f.at, "got %q, want a mapping and right or wrong: ppc:trailing wrong",
				litmus.Shorten(strings.TrimSpace(one)))
			continue
		}
		model, ok := in.column(f.at, m.Model, false)
		c := Claim{Model: model, Property: Property(words[1]), Compiled: words[0], Pos: f.at}
		if ok && in.askable(c) && in.compiled(f.at, m.Source, c.Compiled) != "" {
			m.Expect = append(m.Expect, c)
		}
	}
	if opts["expect"] == "" {
		in.fail(f.at, "a compile block names its mappings and whether they are right, such as expect=\"x86_64 right; "+
			"ppc:trailing wrong\"")
	}
}
