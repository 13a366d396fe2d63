package cmd

import "runtime/debug"

// version is what this program was built from, as Go's tools say it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}
