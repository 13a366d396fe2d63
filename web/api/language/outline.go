package language

import (
	"strings"

	"litmuscope/models/cat"
)

// documentSymbols is the outline of a text: threads, locations and the condition of a test; what a model defines and
// checks; functions, variables, macros and structs of a program.
func (r *request) documentSymbols(p named) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := []documentSymbol{}
	marks := d.marks()
	seen := map[symbol]bool{}
	for i, t := range marks {
		kind, detail, end := 0, "", t.to
		switch {
		case d.tongue == ofTests && t.kind == heading && t.part == code:
			kind, end = symbolFunction, d.bodyEnd(marks, i)
		case d.tongue == ofTests && t.of.space == locations && t.defines:
			kind, detail = symbolVariable, "location"
		case d.tongue == ofTests && t.part == final && t.kind == keyword && !seen[symbol{name: "condition"}]:
			seen[symbol{name: "condition"}] = true
			kind, end = symbolEvent, len(strings.TrimRight(d.text, " \t\r\n"))
			detail = strings.Join(strings.Fields(d.text[t.to:end]), " ")
		case d.tongue == ofModels && t.of.space == topNames && t.defines, d.tongue == ofModels && t.kind == heading:
			kind = symbolVariable
			if t.kind == function {
				kind = symbolFunction
			} else if t.kind == heading {
				kind, detail = symbolEvent, "check"
			}
		case d.tongue == ofPrograms && t.of.space == structTags && t.defines:
			kind, end = symbolStruct, d.bodyEnd(marks, i)
		case d.tongue == ofPrograms && t.of.space == programNames && t.of.thread == fileScope && t.defines:
			switch kind = symbolVariable; {
			case i > 0 && d.text[marks[i-1].from:marks[i-1].to] == "#define":
				kind = symbolConstant
			case i+1 < len(marks) && d.text[marks[i+1].from:marks[i+1].to] == "(":
				kind, end = symbolFunction, d.bodyEnd(marks, i)
			}
		}
		if kind == 0 || t.of.hasDefinition() && seen[t.of] && kind != symbolFunction {
			continue
		}
		seen[t.of] = true
		name := strings.TrimRight(strings.TrimSuffix(d.text[t.from:t.to], "("), " ")
		out = append(out,
			documentSymbol{
				Name: name, Detail: detail, Kind: kind, Range: d.span(t.from, end),
				SelectionRange: d.span(t.from, t.from+len(name)),
			})
	}
	return out, nil
}

// bodyEnd is where the body ends that stands behind a name: its own end where there is none.
func (d *document) bodyEnd(marks []token, at int) int {
	depth := 0
	for i := at + 1; i < len(marks); i++ {
		switch d.text[marks[i].from:marks[i].to] {
		case "{":
			depth++
		case "}":
			if depth--; depth <= 0 {
				return marks[i].to
			}
		case ";", "|":
			if depth == 0 {
				return marks[at].to
			}
		}
	}
	return marks[at].to
}

// foldingRanges are blocks in braces and comments that take several lines.
func (r *request) foldingRanges(p named) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := []foldingRange{}
	add := func(from, to int, kind string) {
		if first, last := d.position(from).Line, d.position(to).Line; last > first {
			out = append(out, foldingRange{first, last, kind})
		}
	}
	var open []int
	for _, t := range d.marks() {
		if t.kind == comment {
			add(t.from, max(t.from, t.to-1), "comment")
			continue
		}
		switch d.text[t.from:t.to] {
		case "{":
			open = append(open, t.from)
		case "}":
			if n := len(open); n > 0 {
				add(open[n-1], t.from, "")
				open = open[:n-1]
			}
		}
	}
	return out, nil
}

// signatureHelp says what the call takes that a place is in, and which of it stands there.
func (r *request) signatureHelp(p place) (any, error) {
	d, at, err := r.at(p)
	if err != nil {
		return nil, err
	}
	marks := d.marks()
	depth, active := 0, 0
	for i := len(marks) - 1; i > 0; i-- {
		t := marks[i]
		if t.from >= at || t.kind == comment {
			continue
		}
		switch d.text[t.from:t.to] {
		case ")", "]":
			depth++
		case "[":
			depth--
		case ",":
			if depth == 0 {
				active++
			}
		case ";", "{", "}":
			return nil, nil
		case "(":
			if depth--; depth < 0 {
				if found := r.signatures(d, marks[i-1]); len(found) > 0 {
					return signatureHelp{found, 0, min(active, max(0, len(found[0].Parameters)-1))}, nil
				}
				depth, active = 0, 0 // brackets of an expression within a call
			}
		}
	}
	return nil, nil
}

// signatures are what a name takes in brackets, by whoever has defined it.
func (r *request) signatures(d *document, t token) []signature {
	name := d.text[t.from:t.to]
	var out []signature
	add := func(label, help string) {
		s := signature{Label: label, Documentation: help, Parameters: []signatureParameter{}}
		if open := strings.IndexByte(label, '('); open >= 0 {
			end := strings.LastIndexByte(label, ')')
			if end < open {
				end = len(label)
			}
			for part := range strings.SplitSeq(label[open+1:end], ",") {
				if part = strings.TrimSpace(part); part != "" && part != "void" {
					s.Parameters = append(s.Parameters, signatureParameter{part})
				}
			}
		}
		out = append(out, s)
	}
	switch d.tongue {
	case ofModels:
		if def, in := r.definition(d, t); in != nil {
			for _, w := range definitions(in) {
				if w.at == def.from {
					head, _, _ := strings.Cut(w.text, "=")
					add(strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(head, "let rec "), "let ")), w.doc)
				}
			}
		}
		if len(out) == 0 && cat.IsName(name) {
			for _, w := range modelVocabulary().Words {
				if w.Name == name && strings.Contains(w.Kind, "function") {
					add(name+"(r)", w.Help)
				}
			}
		}
	case ofTests:
		if v := vocabularyFor(d.text); v.isC() {
			for _, in := range v.by[name] {
				add(in.Name+in.Operands, in.Help)
			}
		}
	case ofPrograms:
		if def, in := r.definition(d, t); in != nil {
			if end := strings.IndexByte(in.text[def.to:], ')'); end >= 0 && def.from != t.from {
				add(strings.Join(strings.Fields(in.text[def.from:def.to+end+1]), " "), "")
			}
			return out
		}
		for _, c := range programVocabulary().Calls {
			if c.Name == name {
				add(c.Name+c.Operands, c.Help)
			}
		}
	}
	return out
}
