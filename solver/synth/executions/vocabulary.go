package executions

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// kind is what an instruction does.
type kind int

const (
	load      kind = iota
	exclusive      // a load that a conditional store looks back to
	store
	conditional // a store-conditional that succeeds
	update      // the read and the write of one atomic instruction
	fence
	pick // what stands for a choice
)

// instruction is what events come from.
type instruction struct {
	kind    kind
	tags    ir.Tags
	write   ir.Tags // of an update's write
	depends bool    // what uses the success of a store-conditional depends on it
}

// Vocabulary is what executions are made of.
type Vocabulary struct {
	instructions []instruction
	// scoped: what a condition decides may end, as in C. Elsewhere all that is behind a branch depends on it.
	scoped bool
}

// Add takes what there is in a program.
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
				if op.If != nil { // it may read alone
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

// And is what there is in either.
func (v *Vocabulary) And(other *Vocabulary) *Vocabulary {
	out := &Vocabulary{instructions: slices.Clone(v.instructions), scoped: v.scoped || other.scoped}
	for _, i := range other.instructions {
		out.add(i)
	}
	return out
}

func (v *Vocabulary) add(i instruction) {
	if !slices.ContainsFunc(v.instructions, func(other instruction) bool { return other.key() == i.key() }) {
		v.instructions = append(v.instructions, i)
	}
}

func (i instruction) key() string { return fmt.Sprint(i.kind, i.tags, i.write, i.depends) }

// seen is the vocabulary as far as models can tell its words apart, by the tags that they name.
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
			continue // nobody sees it
		}
		out.add(i)
	}
	return out
}
