// Package solver is what every engine takes and gives: a program and a model in, a
// [Result] with outcomes and their witnesses out.
//
// Engines live in the packages below and implement [Engine]: axiomatic (SAT over
// event graphs), sequential (SAT over threads in rounds), machine (explicit store
// buffers). pool runs whole tests in child processes. A Result is plain data: it goes through JSON to the store, the REST
// interface, the page and the command line unchanged.
//
// The package may import litmus, litmus/ir and models.
package solver
