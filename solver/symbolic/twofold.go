package symbolic

import "litmuscope/litmus/ir"

// twofold is what is known of a value, and what is known of it regardless of what reads
// return. Where a model lets writes feed the branches and addresses that they depend on,
// these are run ahead on any value; numbers themselves still come from somewhere. Where none does,
// the second is what circuits show of the first: they come by every step that branches lead to here.
type twofold struct{ known, regardless Known }

// twofoldBits is the domain of twofold values. Whichever way a guard may go regardless
// of reads, it may go.
type twofoldBits struct{}

var (
	whole KnownBits
	plain = KnownBits{plain: true}
)

func (twofoldBits) constant(v uint64, bits int) twofold {
	k := whole.constant(v, bits)
	return twofold{k, k}
}

func (twofoldBits) same(x, y twofold) bool { return x == y && x.regardless.Constant() }

func (twofoldBits) unary(op ir.UnaryOp, x twofold) twofold {
	return twofold{whole.unary(op, x.known), plain.unary(op, x.regardless)}
}

func (twofoldBits) binary(op ir.BinaryOp, x, y twofold) twofold {
	return twofold{whole.binary(op, x.known, y.known), plain.binary(op, x.regardless, y.regardless)}
}

func (twofoldBits) ite(cond, x, y twofold) twofold {
	return twofold{whole.ite(cond.regardless, x.known, y.known), plain.ite(cond.regardless, x.regardless, y.regardless)}
}

func (twofoldBits) extract(x twofold, lo, bits int) twofold {
	return twofold{whole.extract(x.known, lo, bits), plain.extract(x.regardless, lo, bits)}
}

func (twofoldBits) extend(x twofold, bits int, signed bool) twofold {
	return twofold{whole.extend(x.known, bits, signed), plain.extend(x.regardless, bits, signed)}
}
