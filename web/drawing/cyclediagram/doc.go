// Package cyclediagram draws cycles of relaxations as rings, and lists what each edge and access can be changed to.
//
//	r, err := cyclediagram.Read(cyclediagram.Request{Arch: "X86", Cycle: "PodWR Fre PodWR Fre"})
//	d, tall := cyclediagram.Draw(r.Arch, r.Cycle)
//	m := cyclediagram.EdgeMenu("X86", r.Cycle, 0) // PodWR, MFencedWR …, each with the resulting cycle
//
// [Read] parses what visitors write, so it belongs in a child process. All other functions take cycles that Read has
// accepted, and are fast. [Translate] writes a cycle in another dialect's words.
//
// It imports litmus, litmus/cycle, litmus/lower and litmus/dialect: no model and no solver.
package cyclediagram
