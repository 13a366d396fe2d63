// Package litmus parses and prints litmus tests, and evaluates their conditions. A test goes through three forms:
//
//	text ── Parse ──▶ Test ── litmus/dialect.Lower ──▶ ir.Program ── ir.Unroll ──▶ threads without loops
//
// [Parse] and [ParseAll] split a text into a [Test]: header, init block, threads and [Condition]. A [Thread] is a list
// of [Cell], one for each statement. The parser understands no instruction; dialects do. In C tests, threads are
// functions one below another; in all others they are columns side by side. [Print] writes a test. [EvalProp] evaluates
// a proposition over any [Logic], which an engine can choose to be booleans or formulas.
//
// Every package that reads text reports mistakes with the types of this one: [Pos], [Error], [ErrorList], and [Fix], a
// change of the text that repairs it.
//
// It imports only the standard library.
package litmus
