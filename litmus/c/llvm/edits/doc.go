// Package edits changes the memory orders of a C++ or Rust program in its source and in its module of LLVM IR at once.
//
// Debug information says which call in the source an atomic instruction comes from. All instructions of one call are
// one place: the call's order is one word in the source, and each instruction has one word in the module. A search asks
// about changed modules, which needs no compiler, and shows changed sources. The caller compiles these again before it
// believes an answer.
//
// A place has the same type as those of C, orders.Place. What orders memory but is no place is in Left, with the
// reason.
//
// It imports litmus, litmus/c, litmus/c/cprog/orders, litmus/c/llvm and litmus/c/llvm/assembly.
package edits
