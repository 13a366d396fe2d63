// Package language is a language server: it tells an editor, by the Language Server Protocol
// (https://microsoft.github.io/language-server-protocol/), what there is to say of litmus tests, of models in cat and of
// C programs while somebody writes them.
//
//	editor ──JSON-RPC──▶ Serve ──▶ a method of methods, with a view of the documents as they were when it was asked
//	                       │ a text has changed
//	                       └─▶ checks, once typing rests: what is wrong, and what mends it; verdicts, as lenses
//
// A text is taken apart into tokens (testtext.go, modeltext.go, programtext.go), from which colours, completion,
// definitions, references and new names come; what is offered and said of them is what web/parts/completion has from the tables of
// those who read tests and models. What is wrong is found by those readers themselves, in processes of their own, and
// verdicts are found by the engines, as everywhere.
//
// The package knows editors by their protocol alone, and serves no pages.
package language
