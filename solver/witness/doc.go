// Package witness writes answers about programs as witnesses of SV-COMP, for other tools to validate: GraphML of
// version 1.0 and YAML of version 2.0. [Write] writes the witness of a [Task]; [FormatOf] chooses the format by a
// file's name.
//
//	err := witness.Write(w, "yml", witness.Task{Files: files, Entry: "main"}, verification)
//
// The witness of an unsafe program is an interleaving of its threads' statements, because the formats can express
// nothing else: an execution that only a weak model allows is an error. The witness of a safe program says that it is
// safe, and has no invariants.
//
// It imports litmus/ir, models and solver: no engine.
package witness
