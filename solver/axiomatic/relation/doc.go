// Package relation has relations over the events of an encoding. A [Matrix] has a literal for each pair of events,
// which says that the relation has the pair; [Pairs] has a bit for each pair, for pairs that are possible, or wanted; a
// [Bitset] is a set of events.
//
// An [Arena] owns their memory and the formula, so that the next encoding can use the memory of the last. The package
// knows no program and no model.
package relation
