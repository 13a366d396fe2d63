package site

import (
	"litmuscope/solver/engines"
	"litmuscope/static"
)

// Made tells from what a program was made, as far as pages and answers show it: pages and their engine are to be of
// one.
func Made() string { return engines.Fingerprint() + "-" + static.Fingerprint() }
