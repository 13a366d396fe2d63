package dialect_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

var orders = []ir.Tag{ir.TagRR, ir.TagRW, ir.TagWR, ir.TagWW, ir.TagBranch}

// effects are the tags that an instruction's barriers, reads and writes carry.
type effects struct{ fence, read, write ir.Tags }

func effectsOf(t *testing.T, arch, instruction string) effects {
	t.Helper()
	init := strings.ReplaceAll(languages[arch].init, "#", "0")
	source := fmt.Sprintf("%s T\n{%s}\nP0%s;\n%s;\nexists (x=0)\n", arch, init, litmus.SomePlace(arch), instruction)
	if arch == "OPENCL" {
		source = "OPENCL T\n{}\nP0@wg 0, dev 0(global atomic_int *x) { " + instruction + " }\nexists (x=0)\n"
	}
	if arch == "C" || arch == dialect.Kernel {
		source = "C T\n{}\nP0(int *x, struct srcu_struct *s) { int i; " + strings.TrimSuffix(instruction, ";") +
			"; }\nexists (x=0)\n"
	}
	p, err := dialect.Parse("t", source)
	if err != nil {
		t.Fatal(err)
	}
	var e effects
	for _, s := range p.Threads[0].Code {
		switch op := s.Op.(type) {
		case ir.Fence:
			e.fence = append(e.fence, op.Tags...)
		case ir.Load:
			e.read = append(e.read, op.Tags...)
		case ir.Store:
			e.write = append(e.write, op.Tags...)
		case ir.StoreCond:
			e.write = append(e.write, op.Tags...)
		case ir.RMW:
			e.read, e.write = append(e.read, op.Tags...), append(e.write, op.WriteTags...)
		}
	}
	return e
}

// row is the line of the table in BARRIERS.md for an instruction.
func (e effects) row(arch, instruction string) string {
	cells := []string{arch, "`" + instruction + "`"}
	if len(e.fence) > 0 {
		cells = append(cells, code(without(e.fence, orders)))
		for _, tag := range orders {
			mark := " "
			if e.fence.Has(tag) {
				mark = "✓"
			}
			cells = append(cells, mark)
		}
	} else {
		cells = append(cells, code(e.read), code(e.write))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

func without(tags ir.Tags, unwanted []ir.Tag) ir.Tags {
	return slices.DeleteFunc(slices.Clone(tags), func(tag ir.Tag) bool { return slices.Contains(unwanted, tag) })
}

func code(tags ir.Tags) string {
	if len(tags) == 0 {
		return " "
	}
	names := make([]string, len(tags))
	for i, t := range tags {
		names[i] = string(t)
	}
	return "`" + strings.Join(names, "` `") + "`"
}

// BARRIERS.md says what the dialects emit, of each of them.
func TestBarriersAreDocumented(t *testing.T) {
	text, err := os.ReadFile("BARRIERS.md")
	if err != nil {
		t.Fatal(err)
	}
	seen, doc := map[string]int{}, string(text)
	for line := range strings.Lines(strings.Split(string(text), forbidHeading)[0]) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || !strings.Contains(cells[2], "`") {
			continue
		}
		arch, instruction := strings.TrimSpace(cells[1]), strings.Trim(cells[2], " `")
		seen[arch]++
		got := effectsOf(t, arch, instruction).row(arch, instruction)
		if line = strings.TrimSuffix(line, "\n"); *update {
			doc = strings.Replace(doc, line, got, 1)
		} else if line != got {
			t.Errorf("BARRIERS.md has\n%s\nbut it is\n%s", line, got)
		}
	}
	for _, arch := range dialect.Tongues() {
		if seen[arch] == 0 {
			t.Errorf("BARRIERS.md says nothing of %s", arch)
		}
	}
	if *update {
		writeBarriers(t, doc)
	}
}
