// Package play shows an execution as a run: a list of frames, one for each step. A model that consists of axioms has no
// steps. [Play] puts the events of an execution in an order that the execution's relations allow, and returns for each
// step a [Frame] with what every thread sees after it. [Fill] adds the registers. [Play]'s comment gives the rules of
// the order.
//
// If no such order exists, because values come out of thin air or coherence is violated, Play returns [ErrNoOrder]. It
// accepts executions of up to [MaxEvents] events.
//
// It imports litmus/ir and models: no solver.
package play
