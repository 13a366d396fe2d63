// Package replay runs the threads of a program on the values that their reads return, and makes an execution of what
// they do, as yet without reads-from and coherence. A [Run] may be a prefix, in which threads have stopped. A
// [Replayer] remembers what a thread does on the same values.
//
// It imports litmus/ir and models.
package replay
