//go:build race

package pool

// overhead is what a byte takes of the system: the race detector notes in two and a half others who accessed it last,
// and takes these by the 64 MiB.
const overhead = 4
