package language

import "strings"

// colours are the kinds of all tokens, as the protocol wants them: each by how far it is from the one before.
func (r *request) colours(p named) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := semanticTokens{Data: []int{}}
	var last position
	for _, t := range d.marks() {
		if t.kind == punctuation {
			continue
		}
		modifiers := 0
		if t.defines {
			modifiers |= 1
		}
		if t.kind == relation || d.tongue == ofModels && t.kind == function && t.of.thread == 0 {
			modifiers |= 2
		}
		// One that goes over several lines is one in each.
		for from := t.from; from < t.to; {
			to := t.to
			if n := strings.IndexByte(d.text[from:t.to], '\n'); n >= 0 {
				to = from + n
			}
			begins, ends := d.position(from),
				d.position(to-len(d.text[from:to])+len(strings.TrimRight(d.text[from:to], "\r")))
			if length := ends.Character - begins.Character; length > 0 {
				column := begins.Character
				if begins.Line == last.Line {
					column -= last.Character
				}
				out.Data = append(out.Data, begins.Line-last.Line, column, length, int(t.kind), modifiers)
				last = begins
			}
			from = to + 1
		}
	}
	return out, nil
}
