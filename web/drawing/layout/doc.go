// Package layout lays an execution out: events in a column for each thread, program
// order running down, initial writes on top, and the relations between them as
// curves. It is plain geometry; what it gives is written down by
// litmuscope/web/drawing. It may import plane and models.
//
// Places depend on the threads and their events only, but where edges would run out of what a page shows. Threads that
// do not all fit beside one another have long texts in two lines, or stand in two bands. All relations are routed,
// the ones that the default view shows first; showing or hiding a relation later
// moves nothing, though more room may have to be taken in.
//
// # The default view
//
// po, rf, co and rmw as the graph lists them (po and co between neighbours), fr
// between threads, and of every relation the edges that lie on a cycle; less where
// that is more than can be read.
//
// Initial writes are not in it, nor what leads to and from them: a read of an initial value
// has a dot at its side instead. They stand over the threads, and [Initial] shows them. Those
// that the cycle leads through are drawn in any case.
//
// # Accesses of several pieces
//
// Where accesses overlap in part an execution has an event for each piece ([models.Whole]). The drawing has a node for each
// access, and edges say which bytes they are about where these are some only; [Pieces] shows each event as a node.
//
// # Folding
//
// Of an execution that is more than a page can show with words that can be read, [Drawing.Fold] makes a second drawing
// for the page: events that the cycle does not lead through are folded into runs, "5 more" between their
// neighbours. Files have all events.
package layout
