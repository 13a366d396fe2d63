package dialect

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// Code is what instructions of an architecture become, where registers begin as an init block says;
// labels may be among them, on lines of their own.
func Code(arch, init string, instructions ...string) ([]ir.Step, error) {
	text := "P0 ;\n" + strings.Join(instructions, " ;\n") + " ;"
	if words(arch).Bodies {
		text = "P0() {\n" + strings.Join(instructions, "\n") + "\n}"
	}
	p, err := Parse("", arch+" code\n{ "+init+" }\n"+text+"\nexists true\n")
	if err != nil {
		return nil, err
	}
	return p.Threads[0].Code, nil
}

// Barrier is what an instruction keeps in order that is a barrier, as an assembler has it:
// by the dialect of the first architecture that knows the instruction, of those given and then of all.
func Barrier(instruction string, archs ...string) (tags ir.Tags, ok bool) {
	if instruction == "" || strings.ContainsAny(instruction, ";|\n") {
		return nil, false
	}
	for _, a := range slices.Concat(archs, Archs()) {
		if a == "C" {
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
