package language

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/models/library"
)

// prelude is the file of the library that every model includes by itself.
const prelude = "stdlib.cat"

// definition is the token that defines what a token means, and the document that it stands in, which is nil where there
// is none.
func (r *request) definition(d *document, t token) (token, *document) {
	if !t.of.hasDefinition() {
		return token{}, nil
	}
	switch t.of.space {
	case files:
		return token{}, nil
	case localNames, topNames:
		if t.of.thread > 0 {
			return d.marks()[t.of.thread-1], d
		}
		if def, in := r.imported(d, symbol{topNames, 0, t.of.name}); in != nil {
			return def, in
		}
		return r.imported(d, symbol{tags, 0, t.of.name}) // the set of a tag goes by its name
	case tags:
		for _, u := range d.marks() {
			if u.of == t.of && u.defines {
				return u, d
			}
		}
		return r.imported(d, t.of)
	}
	for _, u := range d.marks() {
		if u.of == t.of && u.defines {
			return u, d
		}
	}
	for _, u := range d.marks() { // of what no init block gives a value, the first place
		if u.of == t.of {
			return u, d
		}
	}
	return token{}, nil
}

// imported looks a name, or a tag, up in what a model includes: the last definition counts.
func (r *request) imported(d *document, sought symbol) (token, *document) {
	seen := map[string]bool{d.name(): true}
	var look func(d *document, own bool) (token, *document)
	look = func(d *document, own bool) (token, *document) {
		into := func(name string) (token, *document) {
			if seen[name] {
				return token{}, nil
			}
			seen[name] = true
			if in := r.included(d, name); in != nil {
				return look(in, true)
			}
			return token{}, nil
		}
		for _, t := range slices.Backward(d.marks()) {
			if own && t.defines && t.of.space == sought.space && t.of.name == sought.name {
				return t, d
			}
			if t.of.space == files {
				if def, in := into(t.of.name); in != nil {
					return def, in
				}
			}
		}
		return into(bellOf(d.name()))
	}
	if def, in := look(d, false); in != nil { // not the document's own: they come later
		return def, in
	}
	if in := r.included(d, prelude); in != nil && d.name() != prelude {
		return look(in, true)
	}
	return token{}, nil
}

// reached are a document and all that it includes.
func (r *request) reached(d *document) []*document {
	out := []*document{d}
	seen := map[string]bool{d.name(): true}
	for i := 0; i < len(out); i++ {
		for _, name := range append(includedBy(out[i].text), bellOf(out[i].name())) {
			if in := r.included(d, name); in != nil && !seen[name] {
				seen[name] = true
				out = append(out, in)
			}
		}
	}
	return out
}

// bellOf is the file of tags that a model includes by itself, if there is one.
func bellOf(model string) string { return strings.TrimSuffix(model, ".cat") + ".bell" }

// included is a file that a document includes: one beside it, or else the library's; nil where there is none.
func (r *request) included(d *document, name string) *document {
	if text, err := r.view.read(d, name); err == nil && d.file() != "" {
		return r.view.of(filepath.Join(filepath.Dir(d.file()), filepath.FromSlash(name)), text, d.utf8)
	}
	texts, ok := models.Texts(name)
	if !ok || !library.Has(name) {
		return nil
	}
	file := name
	if r.Library != "" {
		file = filepath.Join(r.Library, name)
	}
	return newDocument(uriOf(file), 0, ofModels, texts[0].Text, d.utf8)
}

// of is the document of a file, as the editor has it if it does.
func (v view) of(file, text string, utf8 bool) *document {
	for _, open := range v {
		if open.file() == file {
			return open
		}
	}
	return newDocument(uriOf(file), 0, ofModels, text, utf8)
}

// shown is where an editor can look at a part of a document; a file of the library is written down for it.
func (r *request) shown(d *document, from, to int) (location, error) {
	l := location{d.uri, d.span(from, to)}
	file := d.file()
	if r.Library == "" || filepath.Dir(file) != r.Library {
		return l, nil
	}
	if there, err := os.ReadFile(file); err == nil && string(there) == d.text {
		return l, nil
	}
	if err := os.MkdirAll(r.Library, 0o755); err != nil {
		return l, err
	}
	f, err := os.CreateTemp(r.Library, ".new-*")
	if err != nil {
		return l, err
	}
	_, err = f.WriteString(d.text)
	err = errors.Join(err, f.Chmod(0o444), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return l, err
}

// goToDefinition leads to where a name is defined, or to a file that is included.
func (r *request) goToDefinition(p place) (any, error) {
	d, at, err := r.at(p)
	if err != nil {
		return nil, err
	}
	t, ok := tokenAt(d.marks(), at)
	if !ok {
		return nil, nil
	}
	def, in := r.definition(d, t)
	if t.of.space == files {
		in = r.included(d, t.of.name)
	}
	if in == nil || r.Library == "" && in.file() == in.name() {
		return nil, nil
	}
	return r.shown(in, def.from, def.to)
}

// uses are all places that mean what a token means, by document; where is that of its definition, if it has one.
func (r *request) uses(d *document, t token) (all map[*document][]token, where *document) {
	all = map[*document][]token{}
	add := func(d *document, is func(token) bool) {
		for _, u := range d.marks() {
			if is(u) {
				all[d] = append(all[d], u)
			}
		}
	}
	if !t.of.hasDefinition() {
		return nil, nil
	}
	def, where := r.definition(d, t)
	if t.of.space != topNames && t.of.space != tags || where == nil {
		add(d, func(u token) bool { return u.of == t.of })
		return all, where
	}
	meant := where.marks()[slices.IndexFunc(where.marks(), func(u token) bool { return u.from == def.from })].of
	add(where, func(u token) bool { return u.of == meant })
	others := r.view.models(d)
	if d.file() != "" {
		others = append(others, source{d.name(), d.text})
	} else if d != where {
		add(d, func(u token) bool { return u.of == t.of })
	}
	for _, o := range others {
		other := r.view.of(filepath.Join(filepath.Dir(d.file()), o.name), o.text, d.utf8)
		for _, sought := range []symbol{{topNames, 0, t.of.name}, {tags, 0, t.of.name}} {
			i := slices.IndexFunc(other.marks(), func(u token) bool { return u.of == sought })
			if i < 0 || other.uri == where.uri && (sought == meant || meant.space == topNames) {
				continue
			}
			if same, in := r.definition(other, other.marks()[i]); in != nil && in.uri == where.uri &&
				same.from == def.from {
				add(other, func(u token) bool { return u.of == sought })
			}
		}
	}
	return all, where
}

// references lists all places that mean what stands at one.
func (r *request) references(p struct {
	place
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
},
) (any, error) {
	d, at, err := r.at(p.place)
	if err != nil {
		return nil, err
	}
	out := []location{}
	t, ok := tokenAt(d.marks(), at)
	if !ok {
		return out, nil
	}
	all, _ := r.uses(d, t)
	for in, tokens := range all {
		for _, u := range tokens {
			if u.defines && !p.Context.IncludeDeclaration {
				continue
			}
			l, err := r.shown(in, u.from, u.to)
			if err != nil {
				return nil, err
			}
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b location) int {
		if a.URI != b.URI {
			return strings.Compare(a.URI, b.URI)
		}
		return comparePositions(a.Range.Start, b.Range.Start)
	})
	return out, nil
}

func comparePositions(a, b position) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Character - b.Character
}

// highlights are the places in one document.
func (r *request) highlights(p place) (any, error) {
	type highlight struct {
		Range textRange `json:"range"`
	}
	d, at, err := r.at(p)
	if err != nil {
		return nil, err
	}
	out := []highlight{}
	if t, ok := tokenAt(d.marks(), at); ok && t.of.hasDefinition() {
		for _, u := range d.marks() {
			if u.of == t.of {
				out = append(out, highlight{d.span(u.from, u.to)})
			}
		}
	}
	return out, nil
}
