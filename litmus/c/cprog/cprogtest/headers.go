package cprogtest

import "embed"

// Headers are the files that programs of one thread include: checksum.h, which prints the computed values or, if
// CHECKSUM is defined, asserts their checksum; and csmith.h, for programs of csmith.
//
//go:embed include/*.h
var Headers embed.FS
