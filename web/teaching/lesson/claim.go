package lesson

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
)

// asserted reads the claims in the title of a link to a classic test:
//
//	[IRIW](/?test=PPC/IRIW+addrs "power allowed; aarch64 forbidden AArch64/IRIW+addrs")
//
// and claims about the test that a mapping makes of a test in C: "power allowed compiled=ppc:trailing".
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
		for _, c := range in.claims(pos, one, false, true) {
			if c.Classic == "" {
				c.Classic = e.ID()
			}
			if c.Compiled == "" || in.compiled(pos, c.original(""), c.Compiled) != "" {
				in.lesson.Claims = append(in.lesson.Claims, c)
			}
		}
	}
	n.Title = nil // it is for who holds the lesson to it, and would tell those who are being asked
}

// compiled returns the test that a mapping, such as ppc:trailing, makes of a test in C. If that fails, it reports an
// error and returns "".
func (in *reading) compiled(pos litmus.Pos, source, mapping string) string {
	made, err := madeBy(mapping, source)
	if err != nil {
		in.fail(pos, "compiled to %s: %v", litmus.Shorten(mapping), litmus.Errors(err)[0].Msg)
		return ""
	}
	return made.Text
}

// original returns the text of the claim's test: the given text, unless the claim names a classic test.
func (c Claim) original(given string) string {
	if c.Classic == "" {
		return given
	}
	e, ok := catalogue.Find(c.Classic)
	if !ok {
		panic("BUG: a claim about no test: " + c.Classic)
	}
	return e.Source
}

// source returns the text of the test that the engine gets.
func (c Claim) source(given string) string {
	given = c.original(given)
	if c.Compiled == "" || c.OfMapping() {
		return given
	}
	made, err := madeBy(c.Compiled, given)
	if err != nil {
		panic("BUG: a claim about what cannot be compiled: " + err.Error())
	}
	return made.Text
}
