package lesson

import (
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
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

// compiled is the test that a mapping, ppc:trailing, makes of one in C; "" where that fails, which is
// reported.
func (in *reading) compiled(pos litmus.Pos, source, mapping string) string {
	made, err := madeBy(mapping, source)
	if err != nil {
		in.fail(pos, "compiled to %s: %v", litmus.Shorten(mapping), litmus.Errors(err)[0].Msg)
		return ""
	}
	return made.Text
}

// original is the text of the test that a claim is about, which is the one given unless it names another.
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

// source is the text that is asked about.
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
