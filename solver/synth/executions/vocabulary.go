package executions

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// The kinds below are all that models distinguish; operands of instructions do not matter.

// kind is the kind of an instruction.
type kind int

const (
	load      kind = iota
	exclusive      // a load that a store-conditional belongs to
	store
	conditional // a successful store-conditional
	update      // the read and the write of an atomic instruction
	fence
	pick // represents a choice
)

// instruction is an instruction as models see it.
type instruction struct {
	kind    kind
	tags    ir.Tags
	write   ir.Tags // tags of an update's write
	depends bool    // the success of a store-conditional is a source of dependencies
}

// Instructions come from real programs, so that each has a combination of tags that a dialect can produce. A free
// choice of tags would distinguish models by accesses that no test contains.

// Vocabulary has the instructions that executions may contain.
type Vocabulary struct {
	instructions []instruction
	// scoped: control dependencies may end, as in C. Otherwise all events after a branch depend on it.
	scoped bool
}

// Add adds the instructions of a program.
func (v *Vocabulary) Add(p *ir.Program) {
	for _, t := range p.Threads {
		for _, s := range t.Code {
			switch op := s.Op.(type) {
			case ir.Load:
				k := load
				if op.Reserve {
					k = exclusive
				}
				v.add(instruction{kind: k, tags: op.Tags})
			case ir.Store:
				v.add(instruction{kind: store, tags: op.Tags})
			case ir.RMW:
				v.add(instruction{kind: update, tags: op.Tags, write: op.WriteTags})
				if op.If != nil { // it may only read
					v.add(instruction{kind: load, tags: op.Tags})
				}
			case ir.StoreCond:
				v.add(instruction{kind: conditional, tags: op.Tags, depends: op.Depend})
			case ir.Fence:
				v.add(instruction{kind: fence, tags: op.Tags})
			case ir.Pick:
				v.add(instruction{kind: pick, tags: ir.Tags{ir.TagPick}})
			case ir.Scope:
				v.scoped = true
			}
		}
	}
}

// And returns the union of two vocabularies.
func (v *Vocabulary) And(other *Vocabulary) *Vocabulary {
	out := &Vocabulary{instructions: slices.Clone(v.instructions), scoped: v.scoped || other.scoped}
	for _, i := range other.instructions {
		out.add(i)
	}
	return out
}

// add adds an instruction unless the list has it already.
func (v *Vocabulary) add(i instruction) {
	if !slices.ContainsFunc(v.instructions, func(other instruction) bool { return other.key() == i.key() }) {
		v.instructions = append(v.instructions, i)
	}
}

// key is equal for instructions that no model can distinguish.
func (i instruction) key() string { return fmt.Sprint(i.kind, i.tags, i.write, i.depends) }

// seen returns the vocabulary as models see it: without tags that they do not mention, and with duplicates removed.
// Fewer words mean a smaller formula.
func (v *Vocabulary) seen(names map[string]bool) *Vocabulary {
	out := &Vocabulary{scoped: v.scoped}
	named := func(tags ir.Tags) ir.Tags {
		kept := slices.DeleteFunc(slices.Clone(tags), func(t ir.Tag) bool { return !names[string(t)] })
		slices.SortFunc(kept, func(a, b ir.Tag) int { return strings.Compare(string(a), string(b)) })
		return slices.Compact(kept)
	}
	for _, i := range v.instructions {
		i.tags, i.write = named(i.tags), named(i.write)
		if i.kind == fence && len(i.tags) == 0 && !names["F"] {
			continue // no model mentions it
		}
		out.add(i)
	}
	return out
}
