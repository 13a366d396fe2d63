package change

import (
	"fmt"
	"regexp"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// atLabel is a label as the init block and the condition name it: P1:L0.
var atLabel = regexp.MustCompile(`\bP(\d+):([\w.$]+)`)

// named returns which labels of each thread stand for the instruction behind them: the init block or the condition
// names them, as fault(P1:L0,x) does, or an instruction takes their address, which is one that has such an operand and
// does not branch. What is inserted has to come before such a label, and the instruction cannot go: otherwise the
// changed test would ask about another one.
func named(t *litmus.Test, p *ir.Program) []map[string]bool {
	frame := *t
	frame.Threads = nil
	elsewhere := map[string]bool{}
	for _, m := range atLabel.FindAllStringSubmatch(litmus.Print(&frame), -1) {
		elsewhere[m[1]+":"+m[2]] = true
	}
	out := make([]map[string]bool, len(t.Threads))
	for i, th := range t.Threads {
		branches := map[int]bool{} // by statement
		for _, s := range p.Threads[i].Code {
			if _, is := s.Op.(ir.Branch); is {
				branches[s.Source] = true
			}
		}
		out[i] = map[string]bool{}
		for n, cell := range th.Cells {
			labels, instruction := cell.Labels()
			for _, l := range labels {
				if elsewhere[fmt.Sprintf("%d:%s", th.ID, l.Text)] {
					out[i][l.Text] = true
				}
			}
			if _, operands := instruction.Split(); !branches[n] {
				for _, o := range operands {
					out[i][o.Text] = true // what is no label does no harm
				}
			}
		}
	}
	return out
}

// stays reports whether a statement in a thread's own text has to stay where it is, behind a named label.
func (c *Changes) stays(thread, cell int) bool {
	cells := c.Test.Threads[thread].Cells
	if cell >= len(cells) {
		return false
	}
	labels, _ := cells[cell].Labels()
	return c.namedIn(thread, labels) || c.ahead(thread, cell) < cell
}

// ahead returns the statement before which to insert what comes before a given one: the same, or the first of the named
// labels on lines of their own above it.
func (c *Changes) ahead(thread, cell int) int {
	first := cell
	for at := cell - 1; at >= 0; at-- {
		labels, rest := c.Test.Threads[thread].Cells[at].Labels()
		if len(labels) == 0 || rest.Text != "" {
			break
		}
		if c.namedIn(thread, labels) {
			first = at
		}
	}
	return first
}

func (c *Changes) namedIn(thread int, labels []litmus.Word) bool {
	return slices.ContainsFunc(labels, func(l litmus.Word) bool { return c.labelled[thread][l.Text] })
}
