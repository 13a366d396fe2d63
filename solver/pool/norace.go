//go:build !race

package pool

// overhead is what a byte takes of the system: see race.go.
const overhead = 1
