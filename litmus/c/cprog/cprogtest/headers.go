package cprogtest

import "embed"

// Headers are what programs of one thread include: checksum.h, which prints what was computed
// or, where CHECKSUM is defined, asserts it; and csmith.h, for those of the program of that name.
//
//go:embed include/*.h
var Headers embed.FS
