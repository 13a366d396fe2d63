// Package machine runs a test on an operational store-buffer machine and visits
// every state it can reach. It is the reference that the other engines are held
// against, and it gives each outcome a run that can be stepped through. Replay does so
// for the runs that others find.
//
// A machine is a memory that all threads share and, for each thread, the stores
// that have been issued but are not yet in memory. A step is either the next
// visible instruction of some thread, or the flush of one pending store:
//
//   - SC has no pending stores: each store goes to memory at once.
//   - TSO keeps each thread's pending stores in one queue and flushes the oldest.
//   - PSO keeps a queue for each location, and flushes the oldest of any of them.
//
// A load returns the newest pending store of its own thread to that location, and
// memory's value when there is none; it never sees another thread's pending stores.
// Threads issue instructions in program order and nothing is speculated.
//
// Where accesses overlap in part, memory has a cell for each location that they have been cut at. A store
// to several is flushed to all of them at once, after any before it that it overlaps; a load
// takes what each cell has from its own thread's newest store to that, or from memory.
//
// Fences are read by their generic tags alone. One that
//
//   - Orders earlier writes with later reads (FWR), and under PSO with later
//     writes too (FWW): waits until its thread has no pending stores.
//   - PSO, FWW without FWR: a barrier in the buffer. Nothing waits, but stores
//     issued later are flushed only after all that were pending at the fence.
//   - PSO, FWR without FWW: later loads wait until the stores that were pending
//     at the fence are in memory; later stores do not wait.
//   - Anything else (FRR, FRW, FCTRL): no effect, for loads are never delayed.
//
// So are acquires and releases:
//
//   - A store that is a RELEASE is flushed after all that its thread has issued before; a
//     load that is one waits until nothing is pending.
//   - A store that is an ACQUIRE is flushed before all that its thread issues later, and
//     later loads wait for that.
//   - A load that is an ACQUIRE and RCSC waits until no RELEASE that is RCSC is pending.
//
// A read-modify-write waits until its thread has no pending stores, then reads and
// writes memory in one step, also when it turns out to write nothing (a failed
// compare-and-swap). This is what the tag LOCKED asks for. The machines treat every
// read-modify-write so, with the tag or without: they have no weaker kind.
//
// A run ends when all threads have ended and nothing is pending. Loops need no
// unwinding: a program whose states are finite in number is explored exactly.
//
// Verify holds a program to properties. Its threads, which have no loops, may start each other,
// wait for each other's end, which comes once nothing of a thread is pending, and keep all others
// still in atomic sections. Spawns, joins and both ends of a section wait until their thread has no
// pending stores. A run may stop anywhere: a thread stays where an assumption or an
// assertion does not hold, and the others go on.
package machine
