package cmd

import (
	"log/slog"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"litmuscope/solver/pool"
)

// The share of the container's or machine's memory that child processes may have together. A command has little beside
// them, a server takes a quarter for itself ([limitMemory]).
const (
	childrenOfCommand = 3. / 4
	childrenOfServer  = 5. / 8
)

// childMemory returns the memory that all child processes may have together: so many MiB, or a share of the memory of
// the container or the machine if that is 0. If the system does not say how much that is, only the limit of each
// question holds; the log, unless nil, says so.
func childMemory(mib int, share float64, log *slog.Logger) *pool.Memory {
	if mib > 0 {
		return pool.NewMemory(int64(mib) << 20)
	}
	all, err := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)()
	if err != nil {
		if log != nil {
			log.Warn("cannot determine the size of the memory: set --child-memory", "error", err)
		}
		return nil
	}
	return pool.NewMemory(int64(float64(all) * share))
}
