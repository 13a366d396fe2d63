// Package witness writes answers about programs as SV-COMP's witnesses, for other tools to
// validate: GraphML of version 1.0, and YAML of version 2.0.
//
//	err := witness.Write(w, "yml", witness.Task{Files: files, Entry: "main"}, verification)
//
// An unsafe program's witness is an interleaving of its threads' statements, which is all that either
// format can say: an execution that no interleaving explains, as weak models have them, is
// an error. A safe program's says that it is safe, and has no invariants.
package witness
