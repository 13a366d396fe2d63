// Package layout places the events of an execution and routes its edges. [Layout] turns a [Request] with a models.Graph
// into a [Drawing]: a column for each thread, program order from top to bottom, initial writes on top, and the
// relations as curves. web/drawing writes it down in a format.
//
// Places depend only on threads and events, unless edges would leave the visible part. Threads that do not fit side by
// side have their long texts in two lines, or stand in two bands. All relations are routed, those of the default view
// first; showing or hiding one later moves nothing. A [View] says which relations differ from the default view
// (view.go). If accesses overlap in part, a node is an access, not a piece of one, except with [Pieces]. [Drawing.Fold]
// makes a smaller drawing of a large one.
//
// It imports models and web/drawing/geometry: no format and no solver.
package layout
