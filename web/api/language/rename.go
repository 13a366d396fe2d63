package language

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models/cat"
)

// prepareRename returns the range and text of the name at a place.
func (r *request) prepareRename(p place) (any, error) {
	d, t, _, err := r.renamed(p)
	if err != nil {
		return nil, err
	}
	return map[string]any{"range": d.span(t.from, t.to), "placeholder": d.text[t.from:t.to]}, nil
}

// renamed returns the name at a place, and all places that have it. Its error says why the name cannot change.
func (r *request) renamed(p place) (*document, token, map[*document][]token, error) {
	d, at, err := r.at(p)
	if err != nil {
		return nil, token{}, nil, err
	}
	t, ok := tokenAt(d.marks(), at)
	if !ok || !t.of.hasDefinition() || t.of.space == files {
		return nil, t, nil, fail(codeFailed, "nothing to rename here: want a register, a location, a label, or "+
			"a name that a "+
			"model or a program defines")
	}
	all, where := r.uses(d, t)
	switch {
	case t.of.space == tags || where != nil && len(all[where]) > 0 && all[where][0].of.space == tags:
		return nil, t, nil, fail(codeFailed, "%s is a tag or the set of a tag: dialects refer to it by this name",
			d.text[t.from:t.to])
	case d.tongue == ofModels && where == nil:
		return nil, t, nil, fail(codeFailed, "%s is not defined in this file or in a file that it includes from "+
			"its folder",
			d.text[t.from:t.to])
	case d.tongue == ofModels && where != d && r.view[where.uri] == nil && !inFolderOf(d, where):
		return nil, t, nil, fail(codeFailed, "%s is defined in the library, in %s", d.text[t.from:t.to], where.name())
	}
	return d, t, all, nil
}

func inFolderOf(d, other *document) bool {
	a, b := d.file(), other.file()
	return a != "" && b != "" && a[:len(a)-len(d.name())] == b[:len(b)-len(other.name())]
}

// rename returns the edits that give the name at a place a new spelling everywhere. It is an error if the edits would
// change the meaning of any other name.
func (r *request) rename(p struct {
	place
	NewName string `json:"newName"`
},
) (any, error) {
	d, t, all, err := r.renamed(p.place)
	if err != nil {
		return nil, err
	}
	name := p.NewName
	switch d.tongue {
	case ofTests:
		err = d.admitsName(t, all[d], &name)
	case ofPrograms:
		err = d.admitsNameInProgram(t, name)
	default:
		err = admitsNameInModels(all, name)
	}
	if err != nil {
		return nil, err
	}
	out := workspaceEdit{map[string][]textEdit{}}
	for in, tokens := range all {
		text := in.text
		for _, u := range slices.Backward(tokens) {
			old := text[u.from:u.to]
			text = text[:u.from] + spelledAs(old, name, u) + text[u.to:]
			out.Changes[in.uri] = append(out.Changes[in.uri], textEdit{in.span(u.from, u.to), spelledAs(old, name, u)})
		}
		slices.Reverse(out.Changes[in.uri])
		if !sameButForNames(in, newDocument(in.uri, 0, in.tongue, text, in.utf8), tokens) {
			return nil, fail(codeFailed, "the new name %s would change the meaning of %s", name, in.name())
		}
	}
	return out, nil
}

// spelledAs returns a register's new name in the upper or lower case of the old one, with its sign.
func spelledAs(old, name string, t token) string {
	if t.of.space != registers {
		return name
	}
	name = strings.TrimLeft(name, "$%")
	if bare := strings.TrimLeft(old, "$%"); bare == strings.ToLower(bare) {
		name = strings.ToLower(name)
	} else if bare == strings.ToUpper(bare) {
		name = strings.ToUpper(name)
	}
	return old[:len(old)-len(strings.TrimLeft(old, "$%"))] + name
}

// sameButForNames reports whether the names of two texts refer to the same things, apart from the renamed one.
func sameButForNames(before, after *document, renamed []token) bool {
	a, b := before.marks(), after.marks()
	if len(a) != len(b) {
		return false
	}
	to := map[symbol]symbol{}
	from := map[symbol]symbol{}
	for i := range a {
		if a[i].kind != b[i].kind {
			return false
		}
		x, seen := to[a[i].of]
		y, taken := from[b[i].of]
		if !seen && !taken {
			to[a[i].of], from[b[i].of] = b[i].of, a[i].of
		} else if x != b[i].of || y != a[i].of {
			return false
		}
		isRenamed := slices.ContainsFunc(renamed, func(t token) bool { return t.from == a[i].from })
		if !isRenamed && a[i].of != b[i].of {
			return false
		}
	}
	return true
}

var (
	aPlainName = litmus.Pattern(`^[A-Za-z_]\w*$`)
	aLabelName = litmus.Pattern(`^[A-Za-z_.][\w.$]*$`)
)

// admitsName returns an error if something in a test cannot have a name.
func (d *document) admitsName(t token, places []token, name *string) error {
	v := vocabularyFor(d.text)
	whole, isRegister := v.whole(*name)
	switch t.of.space {
	case registers:
		if !isRegister {
			return fail(codeFailed, "%q is not a register of %s", *name, v.Arch)
		}
		first := strings.TrimLeft(d.text[places[0].from:places[0].to], "$%")
		for _, u := range places {
			if other := strings.TrimLeft(d.text[u.from:u.to], "$%"); !strings.EqualFold(other, first) {
				return fail(codeFailed, "the register has two names here, %s and %s: use one of them "+
					"first", first, other)
			}
		}
		for _, u := range d.marks() {
			if u.of == (symbol{registers, t.of.thread, whole}) {
				return fail(codeFailed, "P%d already uses %s", t.of.thread, *name)
			}
		}
		return nil
	case labels:
		if !aLabelName().MatchString(*name) {
			return fail(codeFailed, "%q: want a label of letters, digits and _", *name)
		}
	default:
		if !aPlainName().MatchString(*name) {
			return fail(codeFailed, "%q: want a name of letters, digits and _", *name)
		}
	}
	if isRegister || v.controls[*name] || v.types[*name] || v.orders[*name] && v.isC() ||
		aKeyword().FindString(*name) == *name {
		return fail(codeFailed, "%q has a special meaning in tests of %s", *name, v.Arch)
	}
	for _, u := range d.marks() {
		if u.of.space != nothing && d.text[u.from:u.to] == *name &&
			(u.of.thread == t.of.thread || u.of.space == locations || t.of.space == locations) {
			return fail(codeFailed, "the test already has a %s", *name)
		}
	}
	return nil
}

// admitsNameInProgram returns an error if something in a program cannot have a name.
func (d *document) admitsNameInProgram(t token, name string) error {
	old := d.text[t.from:t.to]
	v := programTongue()
	switch {
	case !aPlainName().MatchString(name):
		return fail(codeFailed, "%q: want a name of letters, digits and _", name)
	case v.controls[name] || v.types[name] || v.orders[name] || specifiers[name]:
		return fail(codeFailed, "%q has a special meaning in C", name)
	case t.of == (symbol{programNames, fileScope, "main"}):
		return fail(codeFailed, "main cannot be renamed: the program begins in the function of this name")
	case !slices.ContainsFunc(d.marks(), func(u token) bool { return u.of == t.of && u.defines }):
		return fail(codeFailed, "%s is not defined in this file", old)
	}
	for _, u := range d.marks() {
		switch {
		case u.of.space == inMacros && u.of.name == old:
			return fail(codeFailed, "%s occurs in a macro's text and may refer to this where the macro is used", old)
		case u.of.space == t.of.space && d.text[u.from:u.to] == name, u.of.space == inMacros && u.of.name == name,
			u.of == (symbol{programNames, 0, name}), u.of == (symbol{programNames, fileScope, name}):
			return fail(codeFailed, "the program already has a %s", name)
		}
	}
	return nil
}

// admitsNameInModels returns an error if something in models cannot have a name.
func admitsNameInModels(all map[*document][]token, name string) error {
	if !cat.IsName(name) {
		return fail(codeFailed, "%q is not a valid name in cat, or it is a keyword", name)
	}
	if _, known := modelWordKinds()[name]; known {
		return fail(codeFailed, "%q is predefined in every model", name)
	}
	for in := range all {
		for _, u := range in.marks() {
			if in.text[u.from:u.to] == name && u.of.space != nothing {
				return fail(codeFailed, "%s already exists in %s", name, in.name())
			}
		}
	}
	return nil
}
