// Package childwork runs untrusted work in child processes: reading questions, drawing executions, walking machines,
// reading cycles, decks and listings, compiling and repairing. Each kind of work is a pool.Kind, such as [Inspecting],
// [Drawing] and [Repairing], with limits of time and memory. [Work] lists all of them for pool.MaybeChild.
//
// The server itself never parses a visitor's text and never lays out a drawing. A child ends when its client leaves.
//
// It imports the packages that do the work, solver/pool, web/drawing and web/teaching/lesson: no page.
package childwork
