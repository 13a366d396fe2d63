package change

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// edited has the changes of a thread: what to insert before its statements or after its last, and the new texts of
// statements; "" removes one.
type edited struct {
	before map[int][]string
	behind map[int][]string // after a statement, before a label
	texts  map[int]string
	init   []litmus.Init // of registers that what is inserted needs
}

// Text returns the test with a choice made. It changes the source in place if the layout allows that, and otherwise
// returns the canonical form.
func (c *Changes) Text(choice Choice) (string, error) {
	edits := c.edits(choice)
	whole := litmus.Print(c.printed(edits))
	if text, ok := c.inPlace(edits); ok {
		if t, err := litmus.Parse(c.Test.File, text); err == nil && litmus.Print(t) == whole {
			return text, nil
		}
	}
	if _, err := litmus.Parse(c.Test.File, whole); err != nil {
		return "", fmt.Errorf("BUG: a changed test cannot be read: %w", err)
	}
	return whole, nil
}

// edits collects the changes of each thread for a choice. It goes through the slots backwards, so that offsets in a
// statement stay valid. Dependencies of one access are applied together at the end.
func (c *Changes) edits(choice Choice) []edited {
	c.labels = 0
	out := make([]edited, len(c.Test.Threads))
	for t := range out {
		out[t] = edited{before: map[int][]string{}, behind: map[int][]string{}, texts: map[int]string{}}
	}
	// Backwards, so that offsets in a statement stay valid.
	for i := len(choice) - 1; i >= 0; i-- {
		s := &c.Slots[i]
		o := s.Options[choice[i]]
		e := &out[s.Thread]
		switch {
		case choice[i] == s.Was || s.dep != nil:
		case s.Kind == Order:
			text, ok := e.texts[s.Cell]
			if !ok {
				text = c.cell(s).Text
			}
			e.texts[s.Cell] = text[:s.at] + o.Text + text[s.at+s.length:]
		case s.whole:
			cell := c.cell(s)
			_, rest := cell.Labels()
			e.texts[s.Cell] = strings.TrimRight(cell.Text[:len(cell.Text)-len(rest.Text)]+o.Text, " ")
		case s.behind && c.ahead(s.Thread, s.Cell) == s.Cell:
			e.behind[s.Cell-1] = slices.Insert(e.behind[s.Cell-1], 0, o.lines()...)
			e.begin(o.init)
		default:
			at := c.ahead(s.Thread, s.Cell)
			e.before[at] = slices.Insert(e.before[at], 0, o.lines()...)
			e.begin(o.init)
		}
	}
	for t := range c.Test.Threads {
		deps := map[int][]*dependency{}
		for i, o := range choice {
			if s := &c.Slots[i]; s.dep != nil && s.Thread == t && o != s.Was {
				deps[s.Cell] = append(deps[s.Cell], s.dep)
			}
		}
		for cell := range c.Test.Threads[t].Cells {
			if deps[cell] == nil {
				continue
			}
			was := c.Test.Threads[t].Cells[cell].Text
			text, ok := out[t].texts[cell]
			if !ok {
				text = was
			}
			before, after := c.depended(t, deps[cell], text)
			at := c.ahead(t, cell)
			out[t].before[at] = append(out[t].before[at], before...)
			if after != was {
				out[t].texts[cell] = after
			}
		}
	}
	return out
}

// lines returns the instructions that an option inserts.
func (o *Option) lines() []string { return append(slices.Clone(o.before), o.Text) }

// begin gives a register an initial value, once.
func (e *edited) begin(init *litmus.Init) {
	if init != nil && !slices.ContainsFunc(e.init, func(i litmus.Init) bool { return i.String() == init.String() }) {
		e.init = append(e.init, *init)
	}
}

// printed returns the changed test, without places.
func (c *Changes) printed(edits []edited) *litmus.Test {
	out := *c.Test
	out.Threads, out.Init = slices.Clone(c.Test.Threads), slices.Clone(c.Test.Init)
	for t := range out.Threads {
		out.Init = append(out.Init, edits[t].init...)
		var cells []litmus.Cell
		add := func(texts ...string) {
			for _, text := range texts {
				if text != "" {
					cells = append(cells, litmus.Cell{Text: text})
				}
			}
		}
		for i, cell := range c.Test.Threads[t].Cells {
			add(edits[t].before[i]...)
			text, ok := edits[t].texts[i]
			if !ok {
				text = cell.Text
			}
			add(text)
			add(edits[t].behind[i]...)
		}
		out.Threads[t].Cells = cells
	}
	return &out
}

// replacement replaces a range of the source.
type replacement struct {
	at, length int
	text       string
}

// inPlace makes the changes in the source; ok is false if the layout does not allow it.
func (c *Changes) inPlace(edits []edited) (text string, ok bool) {
	source := c.Test.Source
	lines := strings.SplitAfter(source, "\n")
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	p := placing{source: source, lines: lines, starts: starts}
	if c.Test.HasBodies() {
		ok = p.bodies(c.Test, edits)
	} else {
		ok = p.columns(c.Test, edits)
	}
	if !ok || !p.init(c.Test, edits) {
		return "", false
	}
	slices.SortStableFunc(p.done, func(a, b replacement) int { return a.at - b.at })
	var b strings.Builder
	from := 0
	for _, r := range p.done {
		if r.at < from {
			return "", false
		}
		b.WriteString(source[from:r.at] + r.text)
		from = r.at + r.length
	}
	b.WriteString(source[from:])
	return b.String(), true
}

type placing struct {
	source string
	lines  []string
	starts []int
	done   []replacement
}

// at returns the offset of a cell in the source; ok reports whether the source has the cell's text there.
func (p *placing) at(cell litmus.Cell) (at int, ok bool) {
	l := cell.Pos.Line - 1
	if l < 0 || l >= len(p.lines) {
		return 0, false
	}
	at = p.starts[l] + cell.Pos.Col - 1
	return at, strings.HasPrefix(p.source[min(at, len(p.source)):], cell.Text)
}

// init inserts the initial values of registers at the end of the init block.
func (p *placing) init(t *litmus.Test, edits []edited) bool {
	var items []string
	for _, e := range edits {
		for _, i := range e.init {
			items = append(items, i.String()+";")
		}
	}
	if len(items) == 0 {
		return true
	}
	if t.InitPos.Line < 1 || t.InitPos.Line > len(p.lines) {
		return false
	}
	from := p.starts[t.InitPos.Line-1] + t.InitPos.Col - 1
	end, depth := min(from, len(p.source)), 1
	for ; end < len(p.source); end++ {
		switch p.source[end] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	block := strings.TrimRight(p.source[min(from, end):end], " \t\n")
	text := strings.Join(items, " ")
	if block != "" && !strings.HasSuffix(block, ";") {
		text = "; " + text
	} else if block != "" {
		text = " " + text
	}
	p.done = append(p.done, replacement{min(from, end) + len(block), 0, text})
	return depth == 0
}

// bodies inserts text before a statement of C on lines of its own if the statement is the first on its line.
func (p *placing) bodies(t *litmus.Test, edits []edited) bool {
	source := p.source
	for i, th := range t.Threads {
		e := edits[i]
		for n, cell := range th.Cells {
			at, ok := p.at(cell)
			before, text := e.before[n], cell.Text
			changed, is := e.texts[n]
			if is {
				text = changed
			}
			behind := e.behind[n]
			if len(before) == 0 && !is && len(behind) == 0 {
				continue
			}
			if !ok {
				return false
			}
			start := p.starts[cell.Pos.Line-1]
			indent := source[start:at]
			alone := strings.Trim(indent, " \t") == ""
			sep := " "
			if alone {
				sep = "\n" + indent
			}
			parts := append(slices.Clone(before), text)
			parts = slices.DeleteFunc(append(parts, behind...), func(s string) bool { return s == "" })
			r := replacement{at, len(cell.Text), strings.Join(parts, sep)}
			if r.text == "" { // remove the line if nothing else is on it
				end := at + len(cell.Text)
				stop := strings.IndexByte(source[end:], '\n')
				if alone && stop >= 0 && strings.TrimSpace(source[end:end+stop]) == "" {
					r = replacement{start, end + stop + 1 - start, ""}
				}
			}
			p.done = append(p.done, r)
		}
	}
	return true
}

// columns inserts rows before the row of an instruction, in its column.
func (p *placing) columns(t *litmus.Test, edits []edited) bool {
	source := p.source
	before, behind := map[int][][]string{}, map[int][][]string{} // by line: what each thread inserts
	put := func(rows map[int][][]string, line, thread int, texts []string) {
		if len(texts) == 0 {
			return
		}
		if rows[line] == nil {
			rows[line] = make([][]string, len(t.Threads)+len(t.Handlers))
		}
		rows[line][thread] = append(rows[line][thread], texts...)
	}
	gone := map[int]int{} // by line: how many of its cells to remove
	cells := map[int]int{}
	for i, th := range t.Threads {
		for n, cell := range th.Cells {
			line := cell.Pos.Line - 1
			cells[line]++
			put(before, line, i, edits[i].before[n])
			put(behind, line, i, edits[i].behind[n])
			text, is := edits[i].texts[n]
			if !is {
				continue
			}
			at, ok := p.at(cell)
			if !ok {
				return false
			}
			if text == "" {
				gone[line]++
			}
			length := len(cell.Text)
			rest := source[at+length:]
			room := len(rest) - len(strings.TrimLeft(rest, " "))
			switch d := len(text) - length; {
			case d > 0:
				length += min(d, max(0, room-1))
			case d < 0:
				text += strings.Repeat(" ", -d)
			}
			p.done = append(p.done, replacement{at, length, text})
		}
	}
	for line, n := range gone {
		if n < cells[line] || before[line] != nil || behind[line] != nil {
			continue
		}
		p.done = slices.DeleteFunc(p.done,
			func(r replacement) bool { return r.at >= p.starts[line] && r.at < p.starts[line+1] })
		p.done = append(p.done, replacement{p.starts[line], len(p.lines[line]), ""})
	}
	for line, columns := range before {
		text, ok := rowsLike(p.lines[line], columns)
		if !ok {
			return false
		}
		p.done = append(p.done, replacement{p.starts[line], 0, text})
	}
	for line, columns := range behind {
		text, ok := rowsLike(p.lines[line], columns)
		if !ok || !strings.HasSuffix(p.lines[line], "\n") {
			return false
		}
		p.done = append(p.done, replacement{p.starts[line+1], 0, text})
	}
	return true
}

// rowsLike returns rows with the given cells, with the layout of a line that has one row.
func rowsLike(line string, columns [][]string) (string, bool) {
	body, end, closed := strings.Cut(line, ";")
	if !closed || strings.TrimSpace(end) != "" || strings.Contains(line, "(*") || strings.Contains(line, "*)") {
		return "", false
	}
	parts := strings.Split(body, "|")
	if len(parts) > len(columns) {
		return "", false
	}
	for len(parts) < len(columns) {
		parts = append(parts, " ")
	}
	rows := 0
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	var b strings.Builder
	for row := range rows {
		for i, part := range parts {
			text := ""
			if row < len(columns[i]) {
				text = columns[i][row]
			}
			indent := part[:len(part)-len(strings.TrimLeft(part, " \t"))]
			if strings.TrimSpace(part) == "" {
				indent = part[:min(1, len(part))]
			}
			if i > 0 {
				b.WriteByte('|')
			}
			cell := indent + text
			b.WriteString(cell)
			if n := len(part) - len(cell); n > 0 {
				b.WriteString(strings.Repeat(" ", n))
			} else if text != "" {
				b.WriteByte(' ')
			}
		}
		b.WriteString(";" + end)
		if !strings.HasSuffix(end, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String(), true
}
