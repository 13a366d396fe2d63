// Package lower contains what all dialects share on the way from a litmus.Test to an ir.Program: locations with their
// addresses and widths, registers and their initial values, labels, and the condition over observed locations and
// registers. A [Dialect] makes a [Builder], declares the init block, lowers the instructions, and finishes:
//
//	b := lower.NewBuilder(dialect, test)
//	b.Declare()
//	b.Lines(nil, func(c litmus.Cell) { b.Emit(ir.Store{…}) })
//	program, err := b.Finish()
//
// [Words] is what a dialect declares about itself: instructions ([Form]), registers, barriers, [Alternative] ways to
// write an access, and its words for [Cycles]. Widths are fixed before the instructions are lowered (width.go).
// Locations that accesses overlap in part are cut into cells at the boundaries that occur (cells.go).
//
// It imports litmus and litmus/ir: no dialect, no model and no solver.
package lower
