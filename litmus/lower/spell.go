package lower

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// words returns the words of the dialect, which are computed once because they take a while.
func (b *Builder) words() Words {
	if b.known == nil {
		w := b.dialect.Words(b.Test.Arch)
		b.known = &w
	}
	return *b.known
}

// registerNames returns the dialect's registers, the usual ones first.
func (b *Builder) registerNames() []string {
	return slices.Concat(b.words().Registers, b.words().Aliases)
}

// mnemonics returns the likely intended mnemonics for a misspelt one, or none if nobody will see the error.
func (b *Builder) mnemonics() []string {
	var out []string
	if len(b.Errors) < maxErrors {
		for _, f := range b.words().Forms() {
			out = append(out, f.Mnemonic)
		}
	}
	return out
}

// didYouMean is litmus.DidYouMean for names that end in numbers: X32 is not a misspelt X3.
func didYouMean(name string, known []string) litmus.Guess {
	const digits = "0123456789"
	near := litmus.Nearest(name, known)
	if strings.EqualFold(strings.TrimRight(near, digits), strings.TrimRight(name, digits)) &&
		!strings.EqualFold(near, name) {
		return litmus.Guess{}
	}
	return litmus.DidYouMean(name, known)
}

// spell adds suggestions to errors at operands where a register or an address is expected.
func (b *Builder) spell() {
	if b.Test.HasBodies() {
		return
	}
	for _, e := range b.Errors {
		if !strings.Contains(e.Msg, "got ") || !strings.Contains(e.Msg, " a register") &&
			!strings.Contains(e.Msg, " an address") {
			continue
		}
		operand, at := b.operandAt(e.Pos), 0
		for _, w := range strings.FieldsFunc(operand, betweenNames) {
			at += strings.Index(operand[at:], w)
			pos := e.Pos
			pos.Col += at
			at += len(w)
			_, location := b.locs[w]
			if _, known := b.FindRegister(w); known || location || strings.IndexByte("#-0123456789", w[0]) >= 0 {
				continue
			}
			if hint := didYouMean(w, b.registerNames()); hint.Near != "" {
				e.Msg += hint.String()
				e.Fix = litmus.Fix{Pos: pos, Was: w, Text: hint.Near}
				break
			}
		}
	}
}

// betweenNames reports whether a character separates the registers, numbers and names of an operand.
func betweenNames(r rune) bool { return strings.ContainsRune(" \t+*,()[]{}!#", r) }

// operandAt returns the operand of an instruction that begins at a position, or "".
func (b *Builder) operandAt(pos litmus.Pos) string {
	for _, th := range b.Test.Threads {
		for _, c := range th.Cells {
			if c.Pos.Line != pos.Line || pos.Col < c.Pos.Col || pos.Col >= c.Pos.Col+len(c.Text) {
				continue
			}
			_, rest := c.Labels()
			_, operands := rest.Split()
			for _, o := range operands {
				if o.Pos == pos {
					return o.Text
				}
			}
		}
	}
	return ""
}
