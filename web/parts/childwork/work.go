package childwork

import (
	"time"

	"litmuscope/litmus/compile"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/wasm"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/solver/synth"
	"litmuscope/solver/synth/optimise"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/teaching/lesson"
)

// RepairTime is what a visitor's test may take that is to be repaired, and ProgramRepairTime what a program may.
const (
	RepairTime        = 20 * time.Second
	ProgramRepairTime = 2 * time.Minute
)

// Work on visitors' texts, which may take any time or memory, runs outside of this process: in a [Config]'s Sandbox.
var (
	Inspecting      = kind("inspect", engines.Inspect)
	Drawing         = kind("draw", drawing.Draw)
	Walking         = kind("walk", engines.AnswerStroll)
	Relaxing        = kind("relax", engines.Relax)
	Comparing       = kind("compare", engines.Compare)
	Ringing         = kind("ring", cyclediagram.Read)
	Compiling       = kind("compile", compile.Answer)
	Assembling      = kind("assemble", wasm.Answer)
	ReadingBack     = kind("read back", readback.Answer)
	ReadingPrograms = kind("read program", engines.ReadProgram)
	Touring         = kind("tour", engines.Tour)
	Offering        = kind("offer changes", synth.Offer)
	ReadingDecks    = kind("read deck", lesson.ReadDeck)
	Repairing       = pool.Kind[synth.Question, *synth.Reply]{
		Title: "repair", Answer: synth.Repaired,
		Limits: within(RepairTime),
	}

	RepairingPrograms = pool.Kind[optimise.Asking, *synth.Reply]{
		Title: "repair program", AnswerInParts: optimise.Repaired,
		Limits: within(ProgramRepairTime),
	}
	WeakeningPrograms = pool.Kind[optimise.Asking, *synth.Reply]{
		Title: "weaken program", AnswerInParts: optimise.Weakened,
		Limits: within(ProgramRepairTime),
	}
)

// Work is all of it, for [pool.MaybeChild].
var Work = []pool.Work{
	Inspecting, Drawing, Walking, Relaxing, Comparing, Ringing, Compiling, Assembling, ReadingBack, ReadingPrograms,
	Touring,
	Offering,
	ReadingDecks, Repairing, RepairingPrograms, WeakeningPrograms,
}

func kind[Q, A any](title string, answer func(Q) (A, error)) pool.Kind[Q, A] {
	return pool.Kind[Q, A]{Title: title, Answer: answer, Limits: pool.Limits{Time: 5 * time.Second, Memory: 512}}
}

// within are the limits of work that heeds a time itself.
func within(heeded time.Duration) pool.Limits {
	return pool.Limits{Time: heeded + 2*time.Second, Memory: 1024}
}
