// Package lower is what all dialects share on the way from a litmus.Test to an
// ir.Program: locations and their addresses and widths, registers and their initial
// values, labels, and the condition over what is observed. A dialect makes a [Builder],
// declares the init block, lowers each thread's instructions, and finishes:
//
//	b := lower.NewBuilder(dialect, test)
//	b.Declare()
//	b.Lines(nil, func(c litmus.Cell) { b.Emit(ir.Store{…}) })
//	program, err := b.Finish()
//
// The package may import litmus and litmus/ir.
package lower
