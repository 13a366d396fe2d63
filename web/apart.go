package web

import (
	"time"

	"litmuscope/litmus/compile"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web/cyclediagram"
	"litmuscope/web/graph"
)

// What is done with what visitors send, and may take any time or memory, is done apart from this process:
// by a [Config]'s Sandbox.
var (
	Inspecting      = apart("inspect", engines.Inspect)
	Drawing         = apart("draw", graph.Draw)
	walking         = apart("walk", engines.Take)
	relaxing        = apart("relax", engines.Relax)
	ringing         = apart("ring", cyclediagram.Read)
	compiling       = apart("compile", compile.Answer)
	readingPrograms = apart("read program", engines.ReadProgram)
)

// Work is all of it, for [pool.MaybeChild].
var Work = []pool.Work{Inspecting, Drawing, walking, relaxing, ringing, compiling, readingPrograms}

func apart[Q, A any](title string, answer func(Q) (A, error)) pool.Kind[Q, A] {
	return pool.Kind[Q, A]{Title: title, Answer: answer, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512}}
}
