package dialect

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Code returns the operations of some instructions of an architecture. init is the init block. Instructions may include
// labels, on lines of their own.
func Code(arch, init string, instructions ...string) ([]ir.Step, error) {
	text := "P0" + litmus.SomePlace(arch) + " ;\n" + strings.Join(instructions, " ;\n") + " ;"
	if words(arch).Bodies {
		text = "P0" + litmus.SomePlace(arch) + "() {\n" + strings.Join(instructions, "\n") + "\n}"
	}
	p, err := Parse("", arch+" code\n{ "+init+" }\n"+text+"\nexists true\n")
	if err != nil {
		return nil, err
	}
	return p.Threads[0].Code, nil
}

// Barrier returns the tags of a barrier instruction, as the first architecture that knows the instruction lowers it: of
// archs, and then of all.
func Barrier(instruction string, archs ...string) (tags ir.Tags, ok bool) {
	if instruction == "" || strings.ContainsAny(instruction, ";|\n") {
		return nil, false
	}
	for _, a := range slices.Concat(archs, Archs()) {
		if words(a).Bodies {
			continue
		}
		code, err := Code(a, "", instruction)
		if err != nil || len(code) != 1 {
			continue
		}
		if f, is := code[0].Op.(ir.Fence); is {
			return f.Tags, true
		}
	}
	return nil, false
}
