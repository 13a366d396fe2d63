package aarch64

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// The numbers that the modifier of a signature may be. A signature is known for each of them, so they have to be found
// before the threads are lowered: from the numbers that registers and locations hold at first, that MOV writes, and
// that loads, stores and atomic updates pass on. The order of instructions plays no part. A number that comes about in
// another way, such as by ADD, is not found; an execution that signs with it is refused.

// numbers are those that a register or memory may hold.
type numbers map[uint64]bool

// mostNumbers bounds the numbers of a register and of memory, far above those that signatures can use.
const mostNumbers = 64

// addAll adds the numbers of another set, and reports whether there are more now. It stops above mostNumbers.
func (n numbers) addAll(other numbers) bool {
	before := len(n)
	for v := range other {
		if len(n) > mostNumbers {
			break
		}
		n[v] = true
	}
	return len(n) > before
}

// flow has the numbers that registers and memory may hold.
type flow struct {
	registers map[[2]string]numbers // by the number of the thread and the name
	memory    numbers
}

// of returns the numbers of a register.
func (f *flow) of(thread int, name string) numbers {
	key := [2]string{strconv.Itoa(thread), name}
	if name == zero {
		return numbers{0: true}
	}
	if f.registers[key] == nil {
		f.registers[key] = numbers{0: true}
	}
	return f.registers[key]
}

// findNumbers returns the numbers that registers of a test may hold: see above. If one of them, or memory, may hold
// more than mostNumbers, no register has a number.
func findNumbers(b *lower.Builder) *flow {
	f := &flow{map[[2]string]numbers{}, numbers{}}
	for key, v := range registerStarts(b.Test) {
		f.registers[key] = numbers{v: true}
	}
	given := map[string]bool{}
	for _, i := range b.Test.Init {
		for _, v := range i.Values {
			if !i.Target.IsRegister() && v.Name == "" {
				given[i.Target.Name] = true
				f.memory.addAll(numbers{v.Bits: true})
			}
		}
	}
	for _, l := range b.Program.Locs {
		if !given[l.Name] {
			f.memory[0] = true
		}
	}
	for more := true; more && len(f.memory) <= mostNumbers; {
		more = false
		for _, th := range b.Test.Threads {
			for _, c := range slices.Concat(th.Cells, handlerCells(b.Test, th.ID)) {
				more = f.pass(th.ID, c) || more
			}
		}
	}
	for _, set := range append(slices.Collect(maps.Values(f.registers)), f.memory) {
		if len(set) > mostNumbers {
			return &flow{registers: map[[2]string]numbers{}}
		}
	}
	return f
}

// pass adds the numbers that an instruction passes on, and reports whether there are more now. An update may exchange
// all its registers with memory: a number too many costs a signature, and a number too few refuses an execution.
func (f *flow) pass(thread int, c litmus.Cell) (more bool) {
	_, rest := c.Labels()
	name, ops := rest.Split()
	mnemonic := strings.ToUpper(name.Text)
	var bare []string // the registers among the operands, up to the first that is none
	for _, o := range ops {
		v, ok := register(o.Text)
		if !ok {
			break
		}
		bare = append(bare, v.Whole)
	}
	if len(bare) == 0 {
		return false
	}
	to := f.of(thread, bare[0])
	has := func(prefix string) bool { return strings.HasPrefix(mnemonic, prefix) }
	switch {
	case mnemonic == "MOV" && len(bare) == 2:
		return to.addAll(f.of(thread, bare[1]))
	case mnemonic == "MOV" && len(ops) == 2:
		if v, err := strconv.ParseInt(strings.TrimPrefix(ops[1].Text, "#"), 0, 64); err == nil {
			return to.addAll(numbers{fitting(uint64(v), ops[0].Text): true})
		}
	case (mnemonic == "EOR" || mnemonic == "SUB") && len(bare) == 3 && bare[1] == bare[2]:
		return to.addAll(numbers{0: true})
	case mnemonic == "CSET":
		return to.addAll(numbers{0: true, 1: true})
	case mnemonic == "CSEL" && len(bare) > 2:
		more = to.addAll(f.of(thread, bare[1]))
		return to.addAll(f.of(thread, bare[2])) || more
	case has("ST"):
		for i, r := range bare {
			if i == 0 && (has("STXR") || has("STLXR")) { // the status
				more = to.addAll(numbers{0: true, 1: true}) || more
				continue
			}
			more = f.memory.addAll(f.of(thread, r)) || more
		}
	case has("SWP") || has("CAS"):
		for _, r := range bare {
			more = f.memory.addAll(f.of(thread, r)) || more
			more = f.of(thread, r).addAll(f.memory) || more
		}
	case has("LD"):
		for _, r := range bare {
			more = f.of(thread, r).addAll(f.memory) || more
		}
	}
	return more
}

// fitting returns a number as a register holds it: W1 has 32 bits.
func fitting(v uint64, name string) uint64 {
	if strings.HasPrefix(strings.ToUpper(name), "W") {
		return v & (1<<32 - 1)
	}
	return v
}

// wantedModifiers words the modifiers that signatures with a key may have.
func (s *signing) wantedModifiers(key string) string {
	var found []uint64
	for _, named := range s.list {
		if named.key == key && !slices.Contains(found, named.modifier) {
			found = append(found, named.modifier)
		}
	}
	slices.Sort(found)
	var words []string
	for _, v := range found {
		words = append(words, "0x"+strconv.FormatUint(v, 16))
	}
	return strings.Join(words, " or ")
}
