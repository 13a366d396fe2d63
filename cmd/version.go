package cmd

import "runtime/debug"

// version returns the module version that this program was built from, as the go tool recorded it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}
