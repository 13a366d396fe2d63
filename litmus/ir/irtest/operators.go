package irtest

import "litmuscope/litmus/ir"

// The operators of expressions, with what tests call them.
var (
	Unaries  = map[ir.UnaryOp]string{ir.BitNot: "not", ir.Neg: "neg"}
	Binaries = map[ir.BinaryOp]string{
		ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.BitAnd: "and", ir.BitOr: "or", ir.BitXor: "xor",
		ir.Shl: "shl", ir.Shr: "shr", ir.Sar: "sar", ir.UDiv: "udiv", ir.URem: "urem", ir.SDiv: "sdiv", ir.SRem: "srem",
		ir.Eq: "eq", ir.Ult: "ult", ir.Slt: "slt",
	}
)
