package cprog

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"litmuscope/litmus/ir"
)

// interpreter runs a unit's code, one thread of it, on bytes.
type interpreter struct {
	t      testing.TB
	u      *unit
	memory []byte
	at     map[*variable]uint64 // statics
	code   []*function          // by address
	failed []string             // assertions
	steps  int
}

const codeBase = 1 << 30 // where addresses of functions begin

func interpret(t testing.TB, u *unit, entry string) (result uint64, in *interpreter) {
	in = &interpreter{t: t, u: u, memory: make([]byte, 64), at: map[*variable]uint64{}}
	return in.call(u.functions[entry], nil), in
}

func (in *interpreter) fresh(size, align int) uint64 {
	align = max(align, 1)
	at := (len(in.memory) + align - 1) / align * align
	in.memory = append(in.memory, make([]byte, at+size-len(in.memory))...)
	for i := at; i < at+size; i++ {
		in.memory[i] = 0xa5
	}
	return uint64(at)
}

func (in *interpreter) function(f *function) uint64 {
	for i, g := range in.code {
		if g == f {
			return codeBase + uint64(i)
		}
	}
	in.code = append(in.code, f)
	return codeBase + uint64(len(in.code)-1)
}

func (in *interpreter) static(v *variable) uint64 {
	at, ok := in.at[v]
	if ok {
		return at
	}
	at = in.fresh(v.size, v.align)
	in.at[v] = at
	clear(in.memory[at : at+uint64(v.size)])
	for _, i := range v.init {
		value := i.value
		switch {
		case i.of != nil:
			value += in.static(i.of)
		case i.function != nil:
			value += in.function(i.function)
		}
		in.write(at+uint64(i.offset), value, i.bits)
	}
	return at
}

func (in *interpreter) write(at, value uint64, bits int) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], value)
	copy(in.memory[at:at+uint64(bits/8)], b[:])
}

func (in *interpreter) read(at uint64, bits int) uint64 {
	var b [8]byte
	copy(b[:], in.memory[at:at+uint64(bits/8)])
	return binary.LittleEndian.Uint64(b[:])
}

func (in *interpreter) call(f *function, args []uint64) uint64 {
	regs := make([]uint64, len(f.regs))
	for i := range regs {
		regs[i] = 0xdeadbeefdeadbeef & ir.Mask(f.regs[i].bits)
	}
	for i, r := range f.params {
		regs[r] = args[i]
	}
	locals := map[*variable]uint64{}
	for _, v := range f.locals {
		locals[v] = in.fresh(v.size, v.align)
	}
	program := &ir.Program{}
	var old uint64
	eval := func(x ir.Expr) uint64 { return program.Eval(x, regs, old) }
	for pc := 0; ; pc++ {
		if in.steps++; in.steps > 1_000_000 {
			in.t.Fatalf("%s does not end", f.name)
		}
		switch o := f.code[pc].op.(type) {
		case assign:
			if o.value.Width() != f.regs[o.dst].bits {
				in.t.Fatalf("%s, step %d: %d bits are assigned to a register of %d", f.name, pc, o.value.Width(), f.regs[o.dst].bits)
			}
			regs[o.dst] = eval(o.value)
		case locate:
			switch {
			case o.fn != nil:
				regs[o.dst] = in.function(o.fn)
			case o.of.static:
				regs[o.dst] = in.static(o.of)
			default:
				regs[o.dst] = locals[o.of]
			}
		case choose:
		case load:
			regs[o.dst] = in.read(eval(o.addr), f.regs[o.dst].bits)
		case store:
			in.write(eval(o.addr), eval(o.value), o.value.Width())
		case update:
			at := eval(o.addr)
			old = in.read(at, f.regs[o.dst].bits)
			does := o.when == nil || eval(o.when) == 1
			if does {
				in.write(at, eval(o.next), o.next.Width())
			}
			regs[o.dst] = old
		case branch:
			if o.cond == nil || eval(o.cond) == 1 {
				pc = o.target - 1
			}
		case call:
			fn := o.fn
			if fn == nil {
				fn = in.code[eval(o.target)-codeBase]
			}
			var args []uint64
			for i, a := range o.args {
				if want := fn.regs[fn.params[i]].bits; a.Width() != want {
					in.t.Fatalf("%s, step %d: argument %d has %d bits, not %d", f.name, pc, i, a.Width(), want)
				}
				args = append(args, eval(a))
			}
			if v := in.call(fn, args); o.dst >= 0 {
				regs[o.dst] = v
			}
		case ret:
			if o.value == nil {
				return 0
			}
			return eval(o.value)
		case assume, attempt, section:
		case assert:
			if eval(o.cond) != 1 {
				in.failed = append(in.failed, o.text)
			}
		default:
			in.t.Fatalf("%T is not for one thread", o)
		}
	}
}

// lowered is a program's unit.
func lowered(t testing.TB, text string, o Options) *unit {
	t.Helper()
	u, err := parse(Source{Files: []File{{"t.c", text}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// The programs of testdata/run look at themselves, and give 0 where all is as C has it; GCC agrees.
func TestInterpreted(t *testing.T) {
	files, err := filepath.Glob("testdata/run/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{Entry: "test"}, {Entry: "test", Properties: []ir.Property{ir.Overflow}}} {
			result, in := interpret(t, lowered(t, string(text), o), "test")
			if result != 0 {
				t.Errorf("%s: %#x is wrong", name, result)
			}
			_ = in.failed
		}
	}
}
