// Package cprog reads C programs with threads, for engines that check them. It is the entry to four packages: read
// parses the text, code translates functions to steps over registers, elaborate runs these steps on partly known values
// and unrolls loops, and run executes them on concrete numbers.
//
// [Lower] makes an ir.Program of a [Source]: threads without loops over shared memory. [Run] makes a run.Program, which
// an engine executes step by step. [Check] only reports mistakes. [Words] lists the functions that programs can call.
//
// [Version] goes into the keys of cached answers: increment it if the same source gives another program.
//
// It imports only packages of litmus: no model and no solver.
package cprog
