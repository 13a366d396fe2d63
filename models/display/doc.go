// Package display prepares executions for readers. [Graph] makes plain data of an execution: its events with names, the
// edges worth drawing and the relations that the model shows. [Help] describes a relation, [SyncStep] says which part
// of a lock or of RCU an event is, and [Interleaving] puts the events of a graph into one order.
//
// It imports litmus/ir, litmus/dialect, models, models/cat, models/evaluation and models/relation.
package display
