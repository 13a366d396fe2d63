package symbolic

import "litmuscope/litmus/ir"

// twofold is what is known of a value, and what is known of it regardless of what reads
// return. Where a model lets writes feed the branches and addresses that they depend on,
// these are run ahead on any value; numbers themselves still come from somewhere.
type twofold struct{ known, regardless Known }

// twofoldBits is the domain of twofold values. Whichever way a guard may go regardless
// of reads, it may go.
type twofoldBits struct{ KnownBits }

func (d twofoldBits) constant(v uint64, bits int) twofold {
	k := d.KnownBits.constant(v, bits)
	return twofold{k, k}
}

func (d twofoldBits) same(x, y twofold) bool { return x == y && x.regardless.Constant() }

func (d twofoldBits) unary(op ir.UnaryOp, x twofold) twofold {
	return twofold{d.KnownBits.unary(op, x.known), d.KnownBits.unary(op, x.regardless)}
}

func (d twofoldBits) binary(op ir.BinaryOp, x, y twofold) twofold {
	return twofold{d.KnownBits.binary(op, x.known, y.known), d.KnownBits.binary(op, x.regardless, y.regardless)}
}

func (d twofoldBits) ite(cond, x, y twofold) twofold {
	return twofold{d.KnownBits.ite(cond.regardless, x.known, y.known), d.KnownBits.ite(cond.regardless, x.regardless, y.regardless)}
}

func (d twofoldBits) extract(x twofold, lo, bits int) twofold {
	return twofold{d.KnownBits.extract(x.known, lo, bits), d.KnownBits.extract(x.regardless, lo, bits)}
}

func (d twofoldBits) extend(x twofold, bits int, signed bool) twofold {
	return twofold{d.KnownBits.extend(x.known, bits, signed), d.KnownBits.extend(x.regardless, bits, signed)}
}
