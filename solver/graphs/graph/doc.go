// Package graph keeps an execution graph as it grows: events, reads-from, coherence and clocks, and the position of
// each thread.
//
// New events follow those of their threads. A graph can become a copy of another one, with or without some events
// ([Graph.CopyFrom], [Graph.Without], [Graph.Retake]). A [Program] says what its threads do next; threads with the same
// inputs so far share one place of [Places]. All graphs share the places, and the program runs only once to each. The
// package knows no model: [Columns] store what an axiom derives from events, for solver/graphs/consistency.
package graph
