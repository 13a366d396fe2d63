// Package wasm assembles litmus tests to WebAssembly, so that a browser can run them on its processor.
//
// [Assemble] returns a [Test]: one module for each thread, which all import one shared memory. A module runs its thread
// in many cells, each with its own copy of the test's memory, and stores what the test observes of the thread's
// registers. The threads meet at a barrier before each cell. [Test.State] turns observed numbers into an outcome.
// [Test.Perpetual] is a second form, for tests whose threads are straight and store constants. It needs no barriers,
// and a module of its own counts the outcomes.
//
// A plain access becomes a plain instruction of WebAssembly, which today's engines compile to a plain instruction of
// the processor. WebAssembly's only other accesses and fences are sequentially consistent: [Test.Changes] names each
// instruction of the test that becomes stronger than it is. Address, data and control dependencies become computations
// with a number that is 0 but unknown to the compiler, so that it cannot remove them.
//
// It imports litmus, litmus/ir and litmus/dialect: no model and no solver.
package wasm
