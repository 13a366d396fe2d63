// Package graph draws an execution: events in a column for each thread, program
// order running down, initial writes on top, and the relations between them as
// curves. It is plain geometry in, text out:
//
//	d := graph.Layout(g)          // where everything is
//	d.SVG(graph.Options{})        // a picture, for a page or a file
//	d.DOT(graph.Options{})        // the same picture for neato -n2
//	d.TikZ(graph.Options{})       // for LaTeX
//
// [Draw] does all of it at once, and makes JSON for other programs, too.
//
// Places depend on the threads and their events only. All relations are routed,
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
// # Folding
//
// Of an execution that is more than a page can show with words that can be read, [Draw] makes a second drawing
// for the page: events that the cycle does not lead through are folded into runs, "5 more" between their
// neighbours. Files have all events.
//
// # The SVG
//
// The root is svg.execution-graph. Below it:
//
//	g.event  with read, write, fence or initial: each has a shape of its own
//	         data-event (ID) data-thread data-source (-1 for initial writes)
//	         more: a run, in a drawing of class folded; data-event and data-source have those of all its events
//	g.edge   data-rel ("po addr": every relation between the two events)
//	         data-from data-to data-default ("true" when the default view has it)
//	  g.part.rel-po        the curve, once for each of the edge's relations
//	g.edge.label           the same attributes again: the edge's words
//	  text.halo, text.words > tspan.part.rel-po
//
// Curves and words are in two layers, so that no curve runs over a word. A part
// that the default view leaves out has class off; so has an edge without any
// other part.
//
// Relations are toggled by classes on the root, with the key from
// [Relation.Key]:
//
//	hide-KEY   nothing of the relation is seen
//	show-KEY   all of it is seen, not only the default view's part
//
// show-KEY with the key of [Initial] shows what has class beginning, and hides the dots, of class
// start. With neither the default view is seen; hide wins. A single edge is switched by
// adding or removing off on its parts (curve, halo and word). The embedded style
// does the rest: of an edge's visible parts the first is drawn, all are named.
//
// To highlight, put class focus on the root and hot on each g.event and g.edge
// that is meant: the others fade. A drawing with a cycle, which is the one that was asked for or one
// that SC forbids, has class cycled on the root and cycle on what is part of it, which is seen while
// there is no focus.
//
// To show how far a run has come, put class run on the root, todo on each g.event and g.edge that it
// has not reached, waiting on a write that no other thread can see yet, and now on the
// events of the step at hand.
//
// Colours are custom properties with the light palette as fallback: --graph-paper,
// --graph-ink, --graph-muted, --graph-node, --graph-line, --graph-hot, and
// --rel-TONE for each [Relation.Tone]; class tone-TONE takes the colour on, in a
// legend too. A page that may be dark sets them to
// [Variables]. The file never asks for the reader's colour scheme itself,
// so a downloaded one is always dark on white.
package graph
