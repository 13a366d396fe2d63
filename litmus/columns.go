package litmus

import (
	"slices"
	"strings"
)

// columns reads threads side by side, as in assembly: a row of their names, then rows of instructions, one for each
// thread.
func (p *parser) columns() {
	if p.done() {
		p.failf("got end of file, want the row of thread names: P0 | P1 ... ;")
	}
	row := p.row(nil)
	for _, c := range row {
		if !p.all {
			p.thread(c)
		} else if !p.recovers(func() { p.thread(c) }) {
			p.unnamedThread(c.Pos)
		}
	}
	p.checkHandlers()
	for !p.done() && !p.atCondition() {
		row = p.row(row[:0])
		if n := len(p.column); len(row) > n {
			last := row[n-1]
			e := Errorf(row[n].Pos, "row has %d columns, more than the %d of the first row", len(row), n)
			if line, _, more := strings.Cut(last.Text, "\n"); more { // its ; is missing
				last.Pos.Col += len(strings.TrimRight(line, " \t"))
				e = e.WithFix(last.Pos, "", " ;")
			}
			if !p.all || len(p.errs) >= maxItemErrors {
				panic(e)
			}
			p.errs = append(p.errs, e)
			row = row[:n]
			if line, _, more := strings.Cut(last.Text, "\n"); more { // continue as if the ; were there
				row[len(row)-1].Text = trim(line)
				p.at = p.lineEnd(last.Pos.Line)
			}
		}
		for i, c := range row {
			if c.Text != "" {
				p.statement(i, c)
			}
		}
	}
}

// unnamedThread begins a thread whose name has an error, so that its instructions are read.
func (p *parser) unnamedThread(pos Pos) {
	if len(p.errs) >= maxItemErrors {
		panic(p.takeLast())
	}
	id := len(p.test.Threads)
	for slices.ContainsFunc(p.test.Threads, func(t Thread) bool { return t.ID == id }) {
		id++
	}
	p.column = append(p.column, len(p.test.Threads))
	p.test.Threads = append(p.test.Threads, Thread{ID: id, Pos: pos, Place: make([]int, len(scopes[p.test.Arch]))})
}

// lineEnd returns the offset of the end of a line.
func (p *parser) lineEnd(line int) int {
	at := 0
	for range line {
		n := strings.IndexByte(p.text[at:], '\n')
		if n < 0 {
			return len(p.text)
		}
		at += n + 1
	}
	return at - 1
}

// row reads up to the next ";" into cells.
func (p *parser) row(cells []Cell) []Cell {
	p.skipBlanks()
	end := strings.IndexByte(p.text[p.at:], ';')
	if end < 0 {
		p.noCondition()
		line, _, _ := strings.Cut(p.text[p.at:], "\n")
		behind := p.posAt(p.at + len(strings.TrimRight(line, " \t")))
		panic(
			Errorf(p.pos(), "got %s, but there is no ; to close this row of instructions",
				p.next()).WithFix(behind, "", " ;"))
	}
	end += p.at
	for start := p.at; start <= end; {
		stop := p.bar(p.text[start:end])
		if stop < 0 {
			stop = end - start
		}
		text := p.text[start : start+stop]
		c := Cell{Pos: p.posAt(min(start+countBlanks(text), end)), Text: trim(text)}
		if len(cells) == MaxThreads {
			panic(Errorf(c.Pos, "row has more than %d columns", MaxThreads))
		}
		c.bound()
		cells = append(cells, c)
		start += stop + 1
	}
	p.at = end + 1
	return cells
}

// bar returns the offset of the next | that separates columns in a row, or -1. In BPF, |= is an operator.
func (p *parser) bar(row string) int {
	for i := range len(row) {
		if row[i] == '|' && (p.test.Arch != "BPF" || !strings.HasPrefix(row[i:], "|=")) {
			return i
		}
	}
	return -1
}

// thread begins a thread with a name such as P1.
func (p *parser) thread(name Cell) {
	name, place := p.placed(name)
	id, ok := threadID(name.Text)
	if handled, found := strings.CutSuffix(name.Text, ".F"); found && !ok {
		p.handler(name, handled)
		return
	}
	if !ok {
		panic(Errorf(name.Pos, "got %q, want a thread name such as P%d", Shorten(name.Text), len(p.test.Threads)))
	}
	if slices.ContainsFunc(p.test.Threads, func(other Thread) bool { return other.ID == id }) {
		panic(Errorf(name.Pos, "thread P%d appears twice", id))
	}
	p.column = append(p.column, len(p.test.Threads))
	p.test.Threads = append(p.test.Threads, Thread{ID: id, Pos: name.Pos, Place: place})
}

// Bounds on the statements of a thread; on the number of threads times the statements of the
// longest, which is the size of the table; and on a statement, in bytes.
const (
	maxCells     = 4096
	maxGrid      = 1 << 16
	maxStatement = 4096
)

// statement adds a statement to the thread or the handler of column i.
func (p *parser) statement(i int, c Cell) {
	t := p.columnThread(i)
	if len(t.Cells) == maxCells {
		panic(Errorf(c.Pos, "thread P%d has more than %d instructions", t.ID, maxCells))
	}
	t.Cells = append(t.Cells, c)
	p.rows = max(p.rows, len(t.Cells))
	if n := max(len(p.test.Threads), len(p.column)); n*p.rows > maxGrid {
		panic(
			Errorf(c.Pos, "%d threads, the longest of %d instructions: want a product of at most %d",
				n, p.rows, maxGrid))
	}
}

// bound rejects a cell that is too long or contains a name that is too long.
func (c Cell) bound() {
	if len(c.Text) <= MaxName {
		return
	}
	if len(c.Text) > maxStatement {
		panic(
			Errorf(c.Pos, "the instruction %q has %d bytes: want at most %d", Shorten(c.Text), len(c.Text),
				maxStatement))
	}
	start := 0
	for i := 0; i <= len(c.Text); i++ {
		if i < len(c.Text) && (isWordPart(c.Text[i]) || c.Text[i] == '$') {
			continue
		}
		if i-start > MaxName {
			panic(
				Errorf(c.At(start), "the name %q has %d bytes: want at most %d",
					Shorten(c.Text[start:i]), i-start, MaxName))
		}
		start = i + 1
	}
}
