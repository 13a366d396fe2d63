// Package solver defines the contract of engines: a [Query] with a program and a model goes in, a [Result] with
// outcomes and their witnesses comes out. An [Engine] answers queries; a [Verifier] also checks properties of C
// programs and returns a [Verification]. A [Task] and a [VerifyTask] are the same questions as text, and a [Runner]
// answers them, in this process or in another.
//
// An engine decides a verdict first, by itself; then it lists states, up to the limits in [OptionTable]. From that
// table come the flags of the command line, the schema of the REST interface and the fields of the page. An unknown
// answer says why, and so does one that a limit cut. Results are plain data: they go through JSON to the store, the
// REST interface, the page and the command line unchanged.
//
// Engines are in the packages below: axiomatic, sequential, machine and graphs. They know neither each other (except
// that sequential replays its runs on the machine) nor the dialects.
//
// It imports litmus, litmus/ir, models and models/cat: no engine.
package solver
