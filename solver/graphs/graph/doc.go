// Package graph keeps an execution graph as it grows: events, reads-from, coherence and clocks, and where each thread
// has come to.
//
// Events are added behind those of their threads. A graph can become a copy of another one, with or without some events
// ([Graph.Set], [Graph.Without], [Graph.Retake]). A [Program] says what its threads do next; threads that have been
// told the same are at one place of [Places], which all graphs share, and are run once to it. The package knows no
// model: what an axiom derives from events is stored in [Columns], for solver/graphs/consistency.
package graph
