package bpf

import (
	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// A load and a store, each plain and as an acquire or a release.
var (
	plainLoad  = litmus.Pattern(`^(\S+)\s*=\s*(\*\s*\(u(?:8|16|32|64)\s*\*\)\s*\([^()]*\))$`)
	acquiring  = litmus.Pattern(`^(\S+)\s*=\s*load_acquire\(\s*(\(u(?:8|16|32|64)\s*\*\)\s*\([^()]*\))\s*\)$`)
	plainStore = litmus.Pattern(`^(\*\s*\(u(?:8|16|32|64)\s*\*\)\s*\([^()]*\))\s*=\s*([rw][0-9]+)$`)
	releasing  = litmus.Pattern(`^store_release\(\s*(\(u(?:8|16|32|64)\s*\*\)\s*\([^()]*\))\s*,\s*([rw][0-9]+)\s*\)$`)
)

const (
	loadAcquire  = "load_acquire"
	storeRelease = "store_release"
)

// alternatives returns the acquire and release forms of a load or a store.
func alternatives(statement string) []lower.Alternative {
	var plain, strong, name string
	if m := plainLoad().FindStringSubmatch(statement); m != nil {
		plain, strong, name = statement, m[1]+" = "+loadAcquire+"("+m[2][1:]+")", loadAcquire
	} else if m := acquiring().FindStringSubmatch(statement); m != nil {
		plain, strong, name = m[1]+" = *"+m[2], statement, loadAcquire
	} else if m := plainStore().FindStringSubmatch(statement); m != nil {
		plain, strong, name = statement, storeRelease+"("+m[1][1:]+", "+m[2]+")", storeRelease
	} else if m := releasing().FindStringSubmatch(statement); m != nil {
		plain, strong, name = "*"+m[1]+" = "+m[2], statement, storeRelease
	} else {
		return nil
	}
	return []lower.Alternative{{Length: len(statement), Ways: []lower.Way{{Text: plain}, {Text: strong, Name: name}}}}
}
