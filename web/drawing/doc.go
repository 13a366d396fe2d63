// Package drawing writes executions down as they are laid out: as the SVG of a page, and as files, in SVG,
// Graphviz's DOT, TikZ for LaTeX, and JSON for other programs. [Draw] does all of it. TikZ is a document, or a figure for
// one that uses [TikZStyle]; so is the ring of a cycle, [RingFigure]. It may import graph, plane and cyclediagram, which
// know where everything is, and models.
//
// # The SVG
//
// The root is svg.execution-graph. Below it:
//
//	g.event  with read, write, fence or initial: each has a shape of its own
//	         data-event (ID; those of all pieces, of an access of several) data-thread data-source (-1 for initial writes)
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
// [graph.Relation]'s Key:
//
//	hide-KEY   nothing of the relation is seen
//	show-KEY   all of it is seen, not only the default view's part
//
// show-KEY with the key of [graph.Initial] shows what has class beginning, and hides the dots, of class
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
// --rel-TONE for each [graph.Relation]'s Tone; class tone-TONE takes the colour on, in a
// legend too. A page that may be dark sets them to
// [graph.Variables]. The file never asks for the reader's colour scheme itself,
// so a downloaded one is always dark on white.
package drawing
