// Package relation has relations over the events of an encoding. A [Matrix] has a literal for each pair of events,
// which says that they are related; [Pairs] has a bit for each pair, for what may be related, or is asked for; a
// [Bitset] is a set of events.
//
// All are made in a [Room], which has the formula as well, so that the next encoding can use the memory of the last.
// The package knows no program and no model.
package relation
