// Package cprog reads whole C programs with threads, and makes programs of package ir of
// them: threads without loops, over memory that they share.
//
// The way from text to threads leads through three packages: read makes syntax trees of the
// text, code makes code of their functions, and elaborate runs that on what is known. Package run runs
// it as it stands, on numbers.
//
// The package may import litmus/ir and the packages below it.
package cprog
