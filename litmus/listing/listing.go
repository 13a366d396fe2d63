// Package listing reads assembly listings of compilers in the syntax of the GNU assembler, as gcc -S, clang -S and
// Compiler Explorer print them.
//
//	l, err := listing.Parse("p.s", text, listing.AArch64)
//	l.Function("P0").Lines   // labels, instructions, data and directives, in order
//	l.Data["x"]              // the lines behind a label that is no function's
//
// A listing is a row of lines. A label that does not begin with .L or $ opens a block, which is a function if it has
// instructions, and else data. Literal pools stay within the function that has them. The package knows no instruction:
// it splits each into its mnemonic and operands. It drops directives that do not change what the code does, keeps those
// that readers need, and refuses those that it does not know.
//
// It imports litmus only.
package listing

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// Syntax says how an architecture's listings are written.
type Syntax struct {
	// Comment starts a comment that goes to the end of the line. Lines that begin with # are comments everywhere.
	Comment string
	// Local are the prefixes of labels within functions.
	Local []string
}

// The syntaxes.
var (
	X86     = Syntax{Comment: "#", Local: []string{".L"}}
	AArch64 = Syntax{Comment: "//", Local: []string{".L"}}
	ARM     = Syntax{Comment: "@", Local: []string{".L"}}
	RISCV   = Syntax{Comment: "#", Local: []string{".L"}}
	PPC     = Syntax{Comment: "#", Local: []string{".L"}}
	MIPS    = Syntax{Comment: "#", Local: []string{".L", "$"}}
)

// mostLines is the largest number of lines of a listing.
const mostLines = 200_000

// Listing is an assembly file.
type Listing struct {
	Functions []*Function
	Data      map[string][]Line // the lines behind each label that is no function's
	aliases   map[string]string // by .set
}

// Function is a function's code.
type Function struct {
	Name  string
	Lines []Line // without the function's own label
}

// Function returns the function of that name, or nil.
func (l *Listing) Function(name string) *Function {
	for _, f := range l.Functions {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Words returns the data behind a label, wherever it is: literal pools are within functions. It ends at the next label
// or instruction. A label that .set makes another name of a label has the data of that one.
func (l *Listing) Words(label string) []Line {
	for range l.aliases {
		if of, ok := l.aliases[label]; ok {
			label = of
		}
	}
	if lines, ok := l.Data[label]; ok {
		return lines
	}
	for _, f := range l.Functions {
		for i, line := range f.Lines {
			if line.Label != label {
				continue
			}
			from := i + 1
			for from < len(f.Lines) && f.Lines[from].Label != "" { // further labels of the same place
				from++
			}
			end := from
			for end < len(f.Lines) && f.Lines[end].Directive() {
				end++
			}
			return f.Lines[from:end]
		}
	}
	return nil
}

// Line is a label, an instruction or a directive. Exactly one of Label and Op is not empty.
type Line struct {
	Pos     litmus.Pos
	Label   string   // a number has the count of labels with it behind a dot: 1.2
	Op      string   // a mnemonic, or a directive with its dot, in lower case; prefixes such as lock are part of it
	Args    []string // the operands, split at commas outside of brackets and quotes
	Text    string   // the line without its comment, with single spaces
	Section string   // such as .text
	Source  int      // the line of the C source by the last .loc; 0 if unknown
}

// Directive says whether the line is a directive.
func (l Line) Directive() bool { return strings.HasPrefix(l.Op, ".") }

// ignored are the directives that do not change what code does: names, debug information, alignment, attributes.
var ignored = words(`
	.file .ident .type .size .globl .global .local .hidden .weak .protected .internal .addrsig .addrsig_sym
	.align .p2align .p2alignw .p2alignl .balign .abiversion .localentry .machine .machinemode .attribute .option
	.eabi_attribute .cpu .arch .arch_extension .fpu .syntax .code .arm .fnstart .fnend .cantunwind
	.save .setfp .pad .personality .handlerdata .movsp .vsave
	.abicalls .nan .module .gnu_attribute .ent .end .frame .mask .fmask .cprestore .variant_pcs
	.cfi_startproc .cfi_endproc .cfi_def_cfa .cfi_def_cfa_offset .cfi_def_cfa_register .cfi_offset .cfi_restore
	.cfi_adjust_cfa_offset .cfi_remember_state .cfi_restore_state .cfi_sections .cfi_personality .cfi_lsda .cfi_escape
	.cfi_window_save .cfi_negate_ra_state .cfi_undefined .cfi_rel_offset .cfi_register .cfi_same_value .cfi_b_key_frame
	.ltorg .pool .build_version .subsections_via_symbols .cv_file .cv_loc
	.uleb128 .sleb128 .cvsd .loc_mark_labels .bundle_align_mode .even .tlsdesccall .dtprelword .gpword .gpdword`)

// kept are the directives that readers see: data, and modes that change the meaning of instructions.
var kept = words(`
	.long .word .short .hword .half .byte .quad .dword .xword .2byte .4byte .8byte .value .zero .space .skip .fill
	.string .ascii .asciz .tc .comm .lcomm .set .equ .reloc .cpload .cpsetup .cpreturn .cplocal .octa
	.intel_syntax .att_syntax .thumb .thumb_func .force_thumb .inst .insn`)

func words(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// Parse reads a listing. Errors have the place in the listing.
func Parse(file, text string, syntax Syntax) (*Listing, error) {
	p := &parser{
		syntax: syntax, section: ".text", previous: ".text",
		listing: &Listing{Data: map[string][]Line{}, aliases: map[string]string{}},
	}
	lines := strings.Split(text, "\n")
	if len(lines) > mostLines {
		return nil, &litmus.Error{
			Pos: litmus.Pos{File: file, Line: mostLines, Col: 1},
			Msg: fmt.Sprintf("the listing has %d lines, and the limit is %d", len(lines), mostLines),
		}
	}
	for i, line := range lines {
		if err := p.line(litmus.Pos{File: file, Line: i + 1, Col: 1}, line); err != nil {
			return nil, err
		}
	}
	p.close()
	return p.listing, nil
}

// parser collects the lines of the block that it is in.
type parser struct {
	syntax            Syntax
	listing           *Listing
	section, previous string
	source            int
	stack             []string // sections of .pushsection
	name              string   // of the open block
	block             []Line
	code              bool // whether the open block has an instruction
}

// close ends the open block.
func (p *parser) close() {
	nameNumbers(p.block)
	switch {
	case p.code && p.name != "":
		p.listing.Functions = append(p.listing.Functions, &Function{p.name, p.block})
	case p.name != "":
		p.listing.Data[p.name] = p.block
	}
	p.name, p.block, p.code = "", nil, false
}

// nameNumbers gives each label that is a number a name of its own, such as 1.2 for the second label 1, and puts it in
// the operands that refer to it: 1b is the last label 1 before, 1f the next one after.
func nameNumbers(lines []Line) {
	defined := map[string]int{} // by number
	for i := range lines {
		if n := lines[i].Label; isDigits(n) {
			defined[n]++
			lines[i].Label = fmt.Sprintf("%s.%d", n, defined[n])
		}
	}
	before := map[string]int{}
	for i := range lines {
		if n, _, numbered := strings.Cut(lines[i].Label, "."); numbered && isDigits(n) {
			before[n]++
		}
		for k, a := range lines[i].Args {
			n := strings.TrimRight(a, "bf")
			to := before[n]
			if strings.HasSuffix(a, "f") {
				to++
			}
			if len(a) == len(n)+1 && isDigits(n) && to >= 1 && to <= defined[n] {
				lines[i].Args[k] = fmt.Sprintf("%s.%d", n, to)
			}
		}
	}
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// line reads a line: statements with semicolons between them. The compilers write several where an instruction of
// theirs becomes more than one, such as a fence and an atomic instruction.
func (p *parser) line(pos litmus.Pos, text string) error {
	if strings.HasPrefix(text, "#") {
		return nil
	}
	code := p.uncomment(text)
	for from := 0; from <= len(code); {
		end := from + endOfStatement(code[from:])
		rest := strings.TrimSpace(code[from:end])
		for {
			label, after, ok := cutLabel(rest)
			if !ok {
				break
			}
			p.label(pos, label)
			rest = after
		}
		if rest != "" {
			pos.Col = from + strings.Index(code[from:end], rest) + 1
			if err := p.statement(pos, rest); err != nil {
				return err
			}
		}
		from = end + 1
	}
	return nil
}

// endOfStatement returns the place of the first semicolon outside of quotes, or the length of the text.
func endOfStatement(text string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			return i
		}
	}
	return len(text)
}

// uncomment removes comments from a line. Quoted text has none.
func (p *parser) uncomment(text string) string {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], p.syntax.Comment):
			return text[:i]
		}
	}
	return text
}

// cutLabel cuts a label and its colon from a statement. Compiler Explorer shows C++ names with their parameters.
func cutLabel(text string) (label, rest string, ok bool) {
	if name, _, has := strings.Cut(text, "("); has && strings.HasSuffix(text, "):") && isLabel(name) {
		return name, "", true
	}
	label, rest, ok = strings.Cut(text, ":")
	if !ok || strings.HasPrefix(rest, ":") || !isLabel(label) {
		return "", text, false
	}
	return strings.Trim(label, `"`), strings.TrimSpace(rest), true
}

func isLabel(text string) bool {
	return strings.Trim(text, `"`) != "" && !strings.ContainsAny(text, " \t,([#%")
}

// label opens a block, or adds a local label to the open one.
func (p *parser) label(pos litmus.Pos, name string) {
	local := name[0] >= '0' && name[0] <= '9'
	for _, prefix := range p.syntax.Local {
		local = local || strings.HasPrefix(name, prefix)
	}
	if !local {
		p.close()
		p.name = name
		return
	}
	if p.name == "" || !strings.HasPrefix(p.section, ".text") { // data without a name of its own, as a TOC entry
		p.close()
		p.name = name
		return
	}
	p.block = append(p.block, Line{Pos: pos, Label: name, Text: name + ":", Section: p.section, Source: p.source})
}

// statement reads an instruction or a directive.
func (p *parser) statement(pos litmus.Pos, text string) error {
	op, operands, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	op, operands = strings.ToLower(op), strings.TrimSpace(operands)
	for op == "lock" || op == "rep" || op == "repz" || op == "xacquire" || op == "xrelease" || op == "notrack" {
		next, after, _ := strings.Cut(operands, " ")
		op, operands = op+" "+strings.ToLower(next), strings.TrimSpace(after)
	}
	if of, ok := strings.CutPrefix(operands, "="); ok && isLabel(op) { // name = value
		name := strings.Fields(text)[0]
		switch of = strings.TrimSpace(of); {
		case of == ".":
			p.label(pos, name)
		case isLabel(of):
			p.listing.aliases[name] = of
		default:
			return &litmus.Error{Pos: pos, Msg: fmt.Sprintf("the value of %s in the listing is unknown: %s", name, of)}
		}
		return nil
	}
	args := split(operands)
	switch {
	case strings.HasPrefix(op, ".") && p.directive(op, args):
		return nil
	case strings.HasPrefix(op, ".") && !kept[op]:
		return &litmus.Error{Pos: pos, Msg: fmt.Sprintf("unknown directive %s in the listing", op)}
	case op == ".comm" || op == ".lcomm":
		if len(args) > 0 {
			p.listing.Data[args[0]] = []Line{{Pos: pos, Op: op, Args: args, Text: text, Section: ".bss"}}
		}
		return nil
	}
	if (op == ".set" || op == ".equ") && len(args) == 2 && isLabel(args[1]) {
		p.listing.aliases[args[0]] = args[1]
		return nil
	}
	p.code = p.code || !strings.HasPrefix(op, ".")
	p.block = append(p.block, Line{
		Pos: pos, Op: op, Args: args, Text: strings.Join(strings.Fields(text), " "), Section: p.section,
		Source: p.source,
	})
	return nil
}

// directive follows sections and source lines. It says whether the line is done with.
func (p *parser) directive(op string, args []string) bool {
	enter := func(name string) {
		p.previous, p.section = p.section, name
		if p.name != "" && !p.code {
			p.close()
		}
	}
	first, _, _ := strings.Cut(strings.Join(args, " ")+" ", " ")
	switch op {
	case ".text", ".data", ".bss", ".rodata", ".sdata", ".sbss":
		enter(op)
	case ".section":
		enter(strings.Trim(first, `"`))
	case ".pushsection":
		p.stack = append(p.stack, p.section)
		enter(strings.Trim(first, `"`))
	case ".popsection":
		if n := len(p.stack); n > 0 {
			enter(p.stack[n-1])
			p.stack = p.stack[:n-1]
		}
	case ".previous":
		enter(p.previous)
	case ".loc":
		if fields := strings.Fields(strings.Join(args, " ")); len(fields) > 1 {
			p.source, _ = strconv.Atoi(fields[1])
		}
	default:
		return ignored[op] || strings.HasPrefix(p.section, ".debug") || strings.HasPrefix(p.section, ".note")
	}
	return true
}

// split splits operands at commas outside of brackets, braces, parentheses and quotes.
func split(text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	depth, from, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}
