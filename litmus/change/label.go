package change

import (
	"fmt"
	"regexp"
	"strings"

	"litmuscope/litmus"
)

// named returns which labels of each thread stand for the instruction behind them: the init block or the condition
// names them, as fault(P1:L0,x) does, or an instruction takes their address. What is inserted has to come before such a
// label, and the instruction cannot go: otherwise the changed test would ask about another one.
func named(t *litmus.Test) []map[string]bool {
	frame := *t
	frame.Threads = nil
	rest := litmus.Print(&frame)
	out := make([]map[string]bool, len(t.Threads))
	for i, th := range t.Threads {
		out[i] = map[string]bool{}
		taken := map[string]bool{}
		for _, cell := range th.Cells {
			_, instruction := cell.Labels()
			if name, operands := instruction.Split(); strings.EqualFold(name.Text, "ADR") && len(operands) == 2 {
				taken[operands[1].Text] = true
			}
		}
		for _, cell := range th.Cells {
			labels, _ := cell.Labels()
			for _, l := range labels {
				of := regexp.MustCompile(fmt.Sprintf(`\bP%d:%s\b`, th.ID, regexp.QuoteMeta(l.Text)))
				out[i][l.Text] = taken[l.Text] || of.MatchString(rest)
			}
		}
	}
	return out
}

// stays reports whether a statement has to stay where it is, behind a named label.
func (c *Changes) stays(thread, cell int) bool {
	labels, _ := c.Test.Threads[thread].Cells[cell].Labels()
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
	for _, l := range labels {
		if c.labelled[thread][l.Text] {
			return true
		}
	}
	return false
}
