// Package language implements a language server for litmus tests, cat models and C programs, by the Language Server
// Protocol (https://microsoft.github.io/language-server-protocol/). [Serve] serves one editor over a channel, with a
// [Config].
//
//	editor ── JSON-RPC ──▶ Serve ──▶ a method, with the documents as they were when it was asked
//	                         │ a text has changed
//	                         └─▶ checks, once typing pauses: mistakes and their fixes; verdicts, as lenses
//
// The package splits a text into tokens, even an incomplete one (testtext.go, modeltext.go, ctext.go). Colours,
// completion, definitions, references and renaming use the tokens, and web/parts/completion has the words. The parsers
// themselves find the mistakes, in child processes, and the engines find the verdicts.
//
// It imports the parsers, solver with its runners, and the parts completion, question and childwork: no page. It alone
// imports JSON-RPC.
package language
