package lower

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
)

// Operand is an operand of an instruction, as its Kind has parsed it.
type Operand struct {
	litmus.Word
	Reg string // the whole register, or the base register of an address
	Imm uint64 // number, or displacement of an address
}

// Kind is a kind of operand. Want describes it in messages, and Read parses an operand of the kind.
type Kind struct {
	Want string
	Read func(b *Builder, o *Operand) bool
}

// Operands parses an instruction's operands. shape has a letter for the kind of each operand.
func (b *Builder) Operands(
	mnemonic litmus.Word, shape string, kinds map[byte]Kind, words []litmus.Word,
) ([]Operand, bool) {
	if !b.HasOperands(mnemonic, len(shape), len(shape), len(words)) {
		return nil, false
	}
	ops := make([]Operand, len(words))
	for i, w := range words {
		ops[i].Word = w
		if k := kinds[shape[i]]; !k.Read(b, &ops[i]) {
			b.Failf(w.Pos, "%s: %s wants %s here, got %q", b.Test.Arch, mnemonic.Text, k.Want, w.Text)
			return nil, false
		}
	}
	return ops, true
}

// ARegister is a register that an instruction may name.
var ARegister = Kind{"a register", func(b *Builder, o *Operand) bool { return o.register(b, o.Text) }}

// ALabel is the target of a branch.
var ALabel = Kind{"a label", func(b *Builder, o *Operand) bool { return b.IsTarget(o.Text) }}

// ANumber is a number from least to most.
func ANumber(least, most int64) Kind {
	return Kind{fmt.Sprintf("a number from %d to %d", least, most), func(_ *Builder, o *Operand) bool {
		return o.number(o.Text, least, most)
	}}
}

// AnAddress is displacement(base). The displacement is from least to most, and may be omitted if it is 0.
func AnAddress(want string, least, most int64) Kind {
	return Kind{want, func(b *Builder, o *Operand) bool {
		front, inside, open := strings.Cut(o.Text, "(")
		base, closed := strings.CutSuffix(inside, ")")
		front = strings.TrimSpace(front)
		return open && closed && o.register(b, strings.TrimSpace(base)) && (front == "" || o.number(front, least, most))
	}}
}

func (o *Operand) register(b *Builder, name string) bool {
	v, ok := b.FindRegister(name)
	o.Reg = v.Whole
	return ok
}

func (o *Operand) number(text string, least, most int64) bool {
	v, err := litmus.ParseNumber(text)
	o.Imm = v
	return err == nil && least <= int64(v) && int64(v) <= most
}
