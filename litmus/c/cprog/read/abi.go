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

// ABI is the binary interface of the machine whose compiler a program is read for, as far as C shows it. The zero value
// is that of x86-64.
type ABI struct {
	Arch         string // as tests name it, such as AArch64; "" is X86_64
	ILP32        bool   // long and pointers have 32 bits; else 64
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

// DataModels are the data models by name, and Chars the kinds of plain char; what most machines have comes first.
var (
	DataModels = []string{LP64, ILP32}
	Chars      = []string{SignedChar, UnsignedChar}
)

// DataModel is the name of the machine's data model.
func (a ABI) DataModel() string {
	if a.ILP32 {
		return ILP32
	}
	return LP64
}

// Char is the kind of plain char that the machine has.
func (a ABI) Char() string {
	if a.UnsignedChar {
		return UnsignedChar
	}
	return SignedChar
}

// With is the machine with another data model and another kind of plain char, where these are not "".
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

// abis are the ABIs that Linux has on the architectures that models are of, little-endian all of them. Files are
// those of folder predefined that hold what GCC predefines there beside common.h, for each data model; layout is the
// architecture whose structures cc lays out alike.
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

// ABIOf returns the ABI of Linux programs on an architecture; x86-64's where the architecture has none of its own.
func ABIOf(arch string) ABI {
	for _, known := range abis {
		if known.Arch == arch {
			return known.ABI
		}
	}
	return abis[0].ABI
}

// layout says how cc lays out objects.
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

// predefined are the macros that the machine's compiler defines before it reads a program: by their names, what each
// stands for, with its parameters before it where it has any.
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

// Undefine is what a definition begins with that takes a predefined macro away.
const Undefine = "-U"

// computed are macros whose values the preprocessor finds out where they stand: nobody can define them.
var computed = []string{
	"__FILE__", "__LINE__", "__COUNTER__", "__has_builtin", "__has_extension", "__has_feature",
	"__has_attribute", "__has_include", "__has_include_next", "defined",
}

// protected are the macros that C forbids programs to define or undefine (C17, 6.10.8), and whose lines cc passes over.
// An option can.
var protected = []string{
	"__DATE__", "__FILE__", "__LINE__", "__STDC__", "__STDC_HOSTED__", "__STDC_MB_MIGHT_NEQ_WC__",
	"__STDC_VERSION__", "__TIME__",
}

// computedMacros make what cc evaluates in conditions defined, as it is for GCC: what they stand for is not used.
var computedMacros = []string{
	"#define __has_builtin(x) 0", "#define __has_extension(x) 0",
	"#define __has_feature(x) 0", "#define __has_attribute(x) 0",
}

// fixedTime are the macros of the day and the time of the compilation. An answer must not depend on when it is asked
// for.
var fixedTime = []string{`#define __DATE__ "Jan  1 1970"`, `#define __TIME__ "00:00:00"`}

// Macros are the object-like and function-like macros that are defined before a program is read, as sorted lines
// of the form #define NAME VALUE: those of the machine's compiler, and those of the source's definitions.
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
