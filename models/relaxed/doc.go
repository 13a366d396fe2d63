// Package relaxed explains why a model allows an execution that SC forbids: which steps of a cycle of po, rf, co and
// fr the model does not keep in order, which memory orders of C the accesses lack, and which fences would forbid the
// execution. [Relax] asks the model about changed executions and returns only what it confirms.
//
// It imports litmus/ir, litmus/dialect and the packages of models that it evaluates with.
package relaxed
