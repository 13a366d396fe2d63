package read

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// ABI is the binary interface of the architecture that a program is compiled for, as far as C programs can observe it.
// The zero value is that of x86-64.
type ABI struct {
	Arch         string // as tests name it, such as AArch64; "" is X86_64
	ILP32        bool   // long and pointers have 32 bits; otherwise 64
	UnsignedChar bool   // plain char is unsigned
}

// The data models.
const (
	LP64  = "lp64"
	ILP32 = "ilp32"
)

// The two kinds of plain char.
const (
	SignedChar   = "signed"
	UnsignedChar = "unsigned"
)

// DataModels are the names of the data models, and Chars those of the kinds of plain char. The most common comes first.
var (
	DataModels = []string{LP64, ILP32}
	Chars      = []string{SignedChar, UnsignedChar}
)

// DataModel returns the name of the data model.
func (a ABI) DataModel() string {
	if a.ILP32 {
		return ILP32
	}
	return LP64
}

// Char returns the kind of plain char.
func (a ABI) Char() string {
	if a.UnsignedChar {
		return UnsignedChar
	}
	return SignedChar
}

// With returns the ABI with another data model and another kind of plain char; "" keeps the present one.
func (a ABI) With(dataModel, char string) (ABI, error) {
	if dataModel != "" && !slices.Contains(DataModels, dataModel) {
		return a, fmt.Errorf("unknown data model %q: want %s", dataModel, strings.Join(DataModels, " or "))
	}
	if char != "" && !slices.Contains(Chars, char) {
		return a, fmt.Errorf("unknown kind of plain char %q: want %s", char, strings.Join(Chars, " or "))
	}
	a.ILP32 = cmp.Or(dataModel, a.DataModel()) == ILP32
	a.UnsignedChar = cmp.Or(char, a.Char()) == UnsignedChar
	return a, nil
}

// abis are Linux's ABIs on the architectures that models are of, all little-endian. Files lists the files of folder
// predefined, besides common.h, that contain GCC's predefined macros, for each data model. layout is the architecture
// for which the C parser lays out structures in the same way.
var abis = []struct {
	ABI
	files, layout map[string]string
}{
	{
		ABI{Arch: "X86_64"},
		map[string]string{LP64: "x86 x86_64", ILP32: "x86 i386"},
		map[string]string{LP64: "amd64", ILP32: "386"},
	},
	{
		ABI{Arch: "AArch64", UnsignedChar: true},
		map[string]string{LP64: "aarch64", ILP32: "aarch64"},
		map[string]string{LP64: "arm64", ILP32: "arm"},
	},
	{
		ABI{Arch: "ARM", UnsignedChar: true, ILP32: true},
		map[string]string{LP64: "arm", ILP32: "arm"},
		map[string]string{LP64: "arm64", ILP32: "arm"},
	},
	{
		ABI{Arch: "PPC", UnsignedChar: true},
		map[string]string{LP64: "power power64", ILP32: "power"},
		map[string]string{LP64: "ppc64le", ILP32: "arm"},
	},
	{
		ABI{Arch: "RISCV", UnsignedChar: true},
		map[string]string{LP64: "riscv", ILP32: "riscv"},
		map[string]string{LP64: "riscv64", ILP32: "arm"},
	},
	{
		ABI{Arch: "MIPS", ILP32: true},
		map[string]string{LP64: "mips", ILP32: "mips"},
		map[string]string{LP64: "mips64le", ILP32: "arm"},
	},
}

// ABIOf returns the ABI of Linux programs on an architecture, or x86-64's if the architecture has none.
func ABIOf(arch string) ABI {
	for _, known := range abis {
		if known.Arch == arch {
			return known.ABI
		}
	}
	return abis[0].ABI
}

// layout returns the C parser's description of the ABI.
func (a ABI) layout() *cc.ABI {
	layout := "amd64"
	for _, known := range abis {
		if known.Arch == cmp.Or(a.Arch, abis[0].Arch) {
			layout = known.layout[a.DataModel()]
		}
	}
	abi, err := cc.NewABI("linux", layout)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	abi.SignedChar = !a.UnsignedChar
	return abi
}

//go:embed predefined
var predefinedFiles embed.FS

// predefined returns the macros that the compiler predefines. The values of function-like macros begin with their
// parameters.
//
// The macros come from files with GCC's own lists: those common to all targets, those of the data model, and those of
// the architecture, where later ones replace earlier ones.
func (a ABI) predefined() map[string]string {
	out := map[string]string{}
	files := "common " + a.DataModel()
	for _, known := range abis {
		if known.Arch == cmp.Or(a.Arch, abis[0].Arch) {
			files += " " + known.files[a.DataModel()]
		}
	}
	for file := range strings.FieldsSeq(files) {
		text, err := predefinedFiles.ReadFile("predefined/" + file + ".h")
		if err != nil {
			panic("BUG: " + err.Error())
		}
		for line := range strings.Lines(string(text)) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			name, _, _ := strings.Cut(rest, " ")
			name, _, _ = strings.Cut(name, "(")
			switch word {
			case "#define":
				out[name] = strings.TrimPrefix(rest, name)
			case "#undef":
				delete(out, name)
			}
		}
	}
	if a.UnsignedChar {
		out["__CHAR_UNSIGNED__"] = " 1"
	}
	if a.ILP32 && a.Arch == "RISCV" {
		out["__riscv_xlen"] = " 32"
	} else if a.Arch == "RISCV" {
		out["__riscv_xlen"] = " 64"
	}
	return out
}

// Undefine is the prefix of a definition that removes a predefined macro.
const Undefine = "-U"

// computed lists macros whose values depend on their position. Programs and options cannot define them.
var computed = []string{
	"__FILE__", "__LINE__", "__COUNTER__", "__has_builtin", "__has_extension", "__has_feature",
	"__has_attribute", "__has_include", "__has_include_next", "defined",
}

// protected lists the macros that C forbids programs to define or undefine (C17, 6.10.8). The C parser ignores such
// directives. Options can define them.
var protected = []string{
	"__DATE__", "__FILE__", "__LINE__", "__STDC__", "__STDC_HOSTED__", "__STDC_MB_MIGHT_NEQ_WC__",
	"__STDC_VERSION__", "__TIME__",
}

// computedMacros makes the operators that the C parser evaluates in conditions defined, as they are in GCC. Their
// values are not used.
var computedMacros = []string{
	"#define __has_builtin(x) 0", "#define __has_extension(x) 0",
	"#define __has_feature(x) 0", "#define __has_attribute(x) 0",
}

// fixedTime defines the macros for the date and time of compilation, because an answer must not depend on when it is
// computed.
var fixedTime = []string{`#define __DATE__ "Jan  1 1970"`, `#define __TIME__ "00:00:00"`}

// Macros returns the macros that are defined before a program is read, those of the compiler and of the source's
// definitions, as sorted lines of the form #define NAME VALUE.
func (s Source) Macros() ([]string, error) {
	all := s.ABI.predefined()
	for _, d := range s.Defines {
		m, err := definition(d)
		if err != nil {
			return nil, err
		}
		if delete(all, m.name); !m.undefine {
			all[m.name] = m.params + " " + m.value
		}
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, strings.TrimRight("#define "+name+all[name], " "))
	}
	return lines, nil
}
