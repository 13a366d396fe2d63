// Package drawing writes executions as pictures: SVG for pages, and files in SVG, Graphviz's DOT, TikZ for LaTeX and
// JSON, and as text in words. [Draw] lays out the execution of a [Request] and writes all of it. [Formats] lists the
// formats of files. TikZ is a document, or a figure for a document that uses [TikZStyle]; [RingFigure] is the figure of
// a cycle.
//
// The SVG's classes and attributes are a contract with the scripts and style sheets of pages; svg.go describes them.
// The palette of a file is always dark on white: it never asks for the reader's colour scheme.
//
// It imports models and the packages below it, which compute the places: no page and no solver.
package drawing
