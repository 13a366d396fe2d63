package symbolic

import (
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/known"
)

// twofold is the known part of a value, and the part that is known regardless of what reads return. If a model lets
// writes feed the branches and addresses on which they depend, Observe computes these for any value; numbers themselves
// still come from somewhere. Where none does, the second is what circuits show of the first: they come by every step
// that branches lead to here.
type twofold struct{ known, regardless known.Number }

// twofoldBits is the domain of twofold values. Whichever way a guard may go regardless
// of reads, it may go.
type twofoldBits struct{}

var (
	whole known.Domain
	plain = known.Domain{Plain: true}
)

func (twofoldBits) constant(v uint64, bits int) twofold {
	k := known.Of(v, bits)
	return twofold{k, k}
}

func (twofoldBits) same(x, y twofold) bool { return x == y && x.regardless.Constant() }

func (twofoldBits) unary(op ir.UnaryOp, x twofold) twofold {
	return twofold{whole.Unary(op, x.known), plain.Unary(op, x.regardless)}
}

func (twofoldBits) binary(op ir.BinaryOp, x, y twofold) twofold {
	return twofold{whole.Binary(op, x.known, y.known), plain.Binary(op, x.regardless, y.regardless)}
}

func (twofoldBits) ite(cond, x, y twofold) twofold {
	return twofold{whole.Ite(cond.regardless, x.known, y.known), plain.Ite(cond.regardless, x.regardless, y.regardless)}
}

func (twofoldBits) extract(x twofold, lo, bits int) twofold {
	return twofold{whole.Extract(x.known, lo, bits), plain.Extract(x.regardless, lo, bits)}
}

func (twofoldBits) extend(x twofold, bits int, signed bool) twofold {
	return twofold{whole.Extend(x.known, bits, signed), plain.Extend(x.regardless, bits, signed)}
}
