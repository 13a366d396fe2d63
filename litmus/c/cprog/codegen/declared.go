package codegen

import (
	"litmuscope/litmus/c/cprog/builtins"
	"litmuscope/litmus/c/cprog/read"
)

// DeclaredBy lists the plain objects of a program that a name declares, which threads can share.
func DeclaredBy(s read.Source, name string) ([]read.Declared, error) {
	asts, err := read.Translate(s, builtins.Names())
	if err != nil {
		return nil, err
	}
	pointer := 64
	if s.ABI.ILP32 {
		pointer = 32
	}
	return read.DeclaredBy(asts, pointer, name), nil
}
