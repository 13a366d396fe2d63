//go:build !race

package pool

// overhead is what a byte takes of the system: see withrace.go.
const overhead = 1
