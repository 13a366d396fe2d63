// Package operational has what the operational models of other packages share, those whose machines are no store
// buffers: [Answer] makes the engine's answer of the outcomes that a search of a machine has found, and checks each of
// them by the model's axioms. [Run] takes a machine's steps one by one for readers, and finds a run to an execution.
//
// A machine is a [Machine]: it lists the steps of a state, and shows a state as a part of a frame. Its states never
// change; a step has the state after it. An [Execution] is the one in the picture. A machine says which of its events a
// state has performed, or that the state cannot come to the execution any more.
//
// It imports litmus, litmus/ir, models and solver, and none of the machines.
package operational
