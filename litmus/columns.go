package litmus

import (
	"slices"
	"strings"
)

// columns reads threads that stand side by side, as assembly does: a row of their names,
// then rows of instructions, one in each thread.
func (p *parser) columns() {
	if p.done() {
		p.failf("got end of file, want the row of thread names: P0 | P1 ... ;")
	}
	row := p.row(nil)
	for _, c := range row {
		p.thread(c)
	}
	for !p.done() && !p.atCondition() {
		row = p.row(row[:0])
		if len(row) > len(p.test.Threads) {
			panic(Errorf(row[len(p.test.Threads)].Pos, "row has %d columns, more than the %d of the first row", len(row), len(p.test.Threads)))
		}
		for i, c := range row {
			if c.Text != "" {
				p.statement(i, c)
			}
		}
	}
}

// row reads up to the next ";" into cells.
func (p *parser) row(cells []Cell) []Cell {
	p.skipBlanks()
	end := strings.IndexByte(p.text[p.at:], ';')
	if end < 0 {
		p.failf("got %s, but there is no ; to close this row of instructions", p.next())
	}
	end += p.at
	for start := p.at; start <= end; {
		stop := strings.IndexByte(p.text[start:end], '|')
		if stop < 0 {
			stop = end - start
		}
		text := p.text[start : start+stop]
		cells = append(cells, Cell{Pos: p.posAt(min(start+countBlanks(text), end)), Text: trim(text)})
		start += stop + 1
	}
	p.at = end + 1
	return cells
}

// thread begins a thread of a name, such as P1.
func (p *parser) thread(name Cell) {
	id, ok := threadID(name.Text)
	if !ok {
		panic(Errorf(name.Pos, "got %q, want a thread name such as P%d", Shorten(name.Text), len(p.test.Threads)))
	}
	if slices.ContainsFunc(p.test.Threads, func(other Thread) bool { return other.ID == id }) {
		panic(Errorf(name.Pos, "thread P%d appears twice", id))
	}
	p.test.Threads = append(p.test.Threads, Thread{ID: id, Pos: name.Pos})
}

// maxCells bounds the statements of a thread.
const maxCells = 4096

// statement adds a statement to thread i.
func (p *parser) statement(i int, c Cell) {
	t := &p.test.Threads[i]
	if len(t.Cells) == maxCells {
		panic(Errorf(c.Pos, "thread P%d has more than %d instructions", t.ID, maxCells))
	}
	t.Cells = append(t.Cells, c)
}
