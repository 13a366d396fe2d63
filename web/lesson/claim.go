package lesson

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/compile"
)

// asserted reads what prose says of a classic test by the title of a link to it:
//
//	[IRIW](/?test=PPC/IRIW+addrs "power allowed; aarch64 forbidden AArch64/IRIW+addrs")
//
// and of what a mapping makes of one in C: "power allowed compiled=ppc:trailing".
func (in *reading) asserted(n *ast.Link) {
	query, leads := strings.CutPrefix(string(n.Destination), "/?test=")
	if len(n.Title) == 0 || !leads {
		return
	}
	pos := in.placeOf(n)
	id, err := url.PathUnescape(query)
	e, ok := catalogue.Find(id)
	if err != nil || !ok {
		return // the library says so
	}
	for _, one := range strings.Split(string(n.Title), ";") {
		words := strings.Fields(one)
		mapping := ""
		if last := len(words) - 1; last > 0 {
			if m, is := strings.CutPrefix(words[last], "compiled="); is {
				mapping, words = m, words[:last]
			}
		}
		for _, c := range in.claims(pos, strings.Join(words, " "), false, true) {
			if c.Classic == "" {
				c.Classic = e.ID()
			}
			if mapping != "" && in.compiled(pos, c.source(""), mapping) == "" {
				continue
			}
			c.Compiled = mapping
			in.lesson.Claims = append(in.lesson.Claims, c)
		}
	}
}

// compiled is the test that a mapping, ppc:trailing, makes of one in C; "" where that fails, which is
// reported.
func (in *reading) compiled(pos litmus.Pos, source, mapping string) string {
	text, err := compileTo(mapping, source)
	if err != nil {
		in.fail(pos, "compiled to %s: %v", litmus.Shorten(mapping), litmus.Errors(err)[0].Msg)
	}
	return text
}

func compileTo(mapping, source string) (string, error) {
	t, err := litmus.Parse("test", source)
	if err != nil {
		return "", err
	}
	arch, variant, _ := strings.Cut(mapping, ":")
	made, err := compile.Compile(t, arch, variant)
	if err != nil {
		return "", err
	}
	return made.Text, nil
}

// source is the text of the test that a claim is about, which is the one given unless it names another.
func (c Claim) source(given string) string {
	if c.Classic != "" {
		e, ok := catalogue.Find(c.Classic)
		if !ok {
			panic("BUG: a claim about no test: " + c.Classic)
		}
		given = e.Source
	}
	if c.Compiled == "" {
		return given
	}
	text, err := compileTo(c.Compiled, given)
	if err != nil {
		panic("BUG: a claim about what cannot be compiled: " + err.Error())
	}
	return text
}
