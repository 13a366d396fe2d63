package readback

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// Compiler Explorer shows x86 in Intel syntax: destination first, registers without %, addresses in brackets with their
// width before them. [att] turns such a line into AT&T syntax, which X86_64 tests have.

var (
	intelPointer = lazily(`(?i)^(byte|word|dword|qword) ptr (.*)$`)
	intelAddress = lazily(`^([^\[\]]*)\[([^\[\]]*)\]$`)
	intelWidths  = map[string]int{"byte": 8, "word": 16, "dword": 32, "qword": 64}
)

// isIntel says whether an operand can only be in Intel syntax.
func isIntel(operand string) bool {
	_, register := x86Parts[strings.ToLower(operand)]
	return register || intelPointer().MatchString(operand) || intelAddress().MatchString(operand) ||
		strings.HasPrefix(strings.ToUpper(operand), "OFFSET ")
}

// att returns a line in AT&T syntax. Lines of that syntax stay as they are.
func att(l listing.Line) listing.Line {
	if !slices.ContainsFunc(l.Args, isIntel) {
		return l
	}
	out := l
	out.Args = nil
	memory, width := 0, 0
	for _, a := range l.Args {
		text, bits := attOperand(a)
		if memory = max(memory, bits); bits == 0 {
			width = max(width, x86Parts[strings.TrimPrefix(text, "%")].bits)
		}
		out.Args = append([]string{text}, out.Args...)
	}
	prefix, op, locked := strings.Cut(l.Op, " ")
	if !locked {
		prefix, op = "", l.Op
	} else {
		prefix += " "
	}
	switch source := x86Parts[strings.TrimPrefix(out.Args[0], "%")].bits; {
	case op == "movsxd":
		op = "movslq"
	case (op == "movzx" || op == "movsx") && len(out.Args) == 2:
		op = op[:4] + x86Letters[max(source, memory)] + x86Letters[x86Parts[strings.TrimPrefix(out.Args[1], "%")].bits]
	case (x86Known[op] || x86Reads[op]) && width == 0 && memory != 0:
		op += x86Letters[memory]
	}
	out.Op = prefix + op
	return out
}

// attOperand returns an operand in AT&T syntax, and the width that it gives to memory in bits, or 0.
func attOperand(text string) (string, int) {
	bits := 0
	if m := intelPointer().FindStringSubmatch(text); m != nil {
		bits, text = intelWidths[strings.ToLower(m[1])], m[2]
	}
	if _, register := x86Parts[strings.ToLower(text)]; register {
		return "%" + strings.ToLower(text), 0
	}
	if _, err := litmus.ParseNumber(text); err == nil {
		return "$" + text, 0
	}
	if fields := strings.Fields(text); len(fields) > 1 && strings.EqualFold(fields[0], "OFFSET") {
		name := strings.Join(fields[1:], "")
		if _, symbol, flat := strings.Cut(name, ":"); flat {
			name = symbol
		}
		return "$" + name, 0
	}
	m := intelAddress().FindStringSubmatch(text)
	if m == nil {
		return text, bits
	}
	return attAddress(m[1], m[2]), bits
}

// attAddress returns symbol[rbp+rax*4-8] as symbol-8(%rbp,%rax,4).
func attAddress(symbol, sum string) string {
	base, index, number := "", "", ""
	for _, term := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(sum, " ", ""), "-", "+-"), "+") {
		name, factor, scaled := strings.Cut(strings.ToLower(term), "*")
		_, register := x86Parts[name]
		switch {
		case term == "":
		case register && scaled:
			index = "%" + name + "," + factor
		case (register || name == "rip") && base == "":
			base = "%" + name
		case register && index == "":
			index = "%" + name + ",1"
		case symbol != "" && !strings.HasPrefix(term, "-"):
			number += "+" + term
		default:
			number += term
		}
	}
	if index != "" {
		base += "," + index
	}
	return symbol + number + "(" + base + ")"
}
