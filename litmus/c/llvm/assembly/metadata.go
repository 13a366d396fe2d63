package assembly

import "strconv"

// metadataDefinition reads !n = ... or !name = !{...}.
func (p *parser) metadataDefinition() {
	name, at := p.tok.text, p.tok.at
	p.advance()
	p.wantSign("=")
	distinct := p.takeWord("distinct")
	number, err := strconv.Atoi(name)
	if err != nil {
		if m := p.meta(); m.Node != nil {
			p.module.Lists[name] = m.Node.Elements
		}
		return
	}
	if _, twice := p.module.Metadata[number]; twice {
		p.failAt(at, "the metadata !%d is defined twice", number)
	}
	m := p.meta()
	if m.Node == nil {
		m.Node = &Node{Elements: []*Meta{m}}
	}
	m.Node.Distinct = distinct
	p.module.Metadata[number] = m.Node
}

// meta reads an operand of metadata: a reference, a string, a node, or a value.
func (p *parser) meta() *Meta {
	p.enter()
	defer p.leave()
	m := &Meta{Ref: -1}
	switch t := p.tok; {
	case t.kind == metadata && t.text != "":
		p.advance()
		if n, err := strconv.Atoi(t.text); err == nil {
			m.Ref = n
			return m
		}
		if !p.isSign("(") {
			p.failAt(t.at, "want a metadata node, got !%s", t.text)
		}
		m.Node = p.specialised(t.text)
	case t.kind == metadata:
		p.advance()
		if p.tok.kind == text {
			m.Text, m.Quoted = p.str(), true
			return m
		}
		p.wantSign("{")
		m.Node = &Node{}
		for !p.takeSign("}") {
			if len(m.Node.Elements) > 0 {
				p.wantSign(",")
			}
			m.Node.Elements = append(m.Node.Elements, p.meta())
		}
	case p.takeWord("null"):
		m.Null = true
	case p.takeWord("distinct"):
		return p.meta()
	case p.isType():
		m.Value = p.typed()
	default:
		p.fail("want metadata, got %s", p.shown())
	}
	return m
}

// specialised reads the fields of a node such as !DILocation(line: 3, scope: !4). Fields without a name, as of
// DIExpression, are elements.
func (p *parser) specialised(name string) *Node {
	p.spend(3)
	n := &Node{Name: name, Fields: map[string]*Meta{}}
	p.wantSign("(")
	for !p.takeSign(")") {
		if len(n.Fields)+len(n.Elements) > 0 {
			p.wantSign(",")
		}
		if p.tok.kind == label {
			field := p.tok.text
			p.advance()
			n.Fields[field] = p.field()
			continue
		}
		n.Elements = append(n.Elements, p.field())
	}
	return n
}

// field reads the value of a field: metadata, a string, a number, or words joined by |.
func (p *parser) field() *Meta {
	p.spend(1)
	switch t := p.tok; {
	case t.kind == text:
		p.advance()
		return &Meta{Ref: -1, Text: t.text, Quoted: true}
	case t.kind == integer:
		p.advance()
		return &Meta{Ref: -1, Text: t.text}
	case t.kind == word && !p.isType() && t.text != "null" && t.text != "distinct":
		m := &Meta{Ref: -1, Text: t.text}
		p.advance()
		for p.takeSign("|") {
			m.Text += " | " + p.tok.text
			p.advance()
		}
		return m
	}
	return p.meta()
}
