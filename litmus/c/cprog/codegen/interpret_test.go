package codegen

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// interpreter runs a unit's code, one thread of it, on bytes.
type interpreter struct {
	t      testing.TB
	u      *code.Unit
	memory []byte
	at     map[*code.Variable]uint64 // statics
	code   []*code.Function          // by address
	failed []string                  // assertions
	steps  int
}

const codeBase = 1 << 30 // where addresses of functions begin

func interpret(t testing.TB, u *code.Unit, entry string) (result uint64, in *interpreter) {
	in = &interpreter{t: t, u: u, memory: make([]byte, 64), at: map[*code.Variable]uint64{}}
	return in.call(u.Functions[entry], nil), in
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

func (in *interpreter) function(f *code.Function) uint64 {
	for i, g := range in.code {
		if g == f {
			return codeBase + uint64(i)
		}
	}
	in.code = append(in.code, f)
	return codeBase + uint64(len(in.code)-1)
}

func (in *interpreter) static(v *code.Variable) uint64 {
	at, ok := in.at[v]
	if ok {
		return at
	}
	at = in.fresh(v.Size, v.Align)
	in.at[v] = at
	clear(in.memory[at : at+uint64(v.Size)])
	for _, i := range v.Init {
		value := i.Value
		switch {
		case i.Of != nil:
			value += in.static(i.Of)
		case i.Function != nil:
			value += in.function(i.Function)
		}
		in.write(at+uint64(i.Offset), value, i.Bits)
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

func (in *interpreter) call(f *code.Function, args []uint64) uint64 {
	regs := make([]uint64, len(f.Regs))
	for i := range regs {
		regs[i] = 0xdeadbeefdeadbeef & ir.Mask(f.Regs[i].Bits)
	}
	for i, r := range f.Params {
		regs[r] = args[i]
	}
	locals := map[*code.Variable]uint64{}
	for _, v := range f.Locals {
		locals[v] = in.fresh(v.Size, v.Align)
	}
	program := &ir.Program{}
	var old uint64
	eval := func(x ir.Expr) uint64 { return program.Eval(x, regs, old) }
	for pc := 0; ; pc++ {
		if in.steps++; in.steps > 1_000_000 {
			in.t.Fatalf("%s does not end", f.Name)
		}
		switch o := f.Code[pc].Op.(type) {
		case code.Assign:
			if o.Value.Width() != f.Regs[o.Dst].Bits {
				in.t.Fatalf("%s, step %d: %d bits are assigned to a register of %d", f.Name, pc, o.Value.Width(),
					f.Regs[o.Dst].Bits)
			}
			regs[o.Dst] = eval(o.Value)
		case code.Locate:
			switch {
			case o.Fn != nil:
				regs[o.Dst] = in.function(o.Fn)
			case o.Of.Static:
				regs[o.Dst] = in.static(o.Of)
			default:
				regs[o.Dst] = locals[o.Of]
			}
		case code.Choose, code.Begin:
		case code.Load:
			regs[o.Dst] = in.read(eval(o.Addr), f.Regs[o.Dst].Bits)
		case code.Store:
			in.write(eval(o.Addr), eval(o.Value), o.Value.Width())
		case code.Update:
			at := eval(o.Addr)
			old = in.read(at, f.Regs[o.Dst].Bits)
			does := o.When == nil || eval(o.When) == 1
			if does {
				in.write(at, eval(o.Next), o.Next.Width())
			}
			regs[o.Dst] = old
		case code.Branch:
			if o.Cond == nil || eval(o.Cond) == 1 {
				pc = o.Target - 1
			}
		case code.Call:
			fn := o.Fn
			if fn == nil {
				fn = in.code[eval(o.Target)-codeBase]
			}
			var args []uint64
			for i, a := range o.Args {
				if want := fn.Regs[fn.Params[i]].Bits; a.Width() != want {
					in.t.Fatalf("%s, step %d: argument %d has %d bits, not %d", f.Name, pc, i, a.Width(), want)
				}
				args = append(args, eval(a))
			}
			if v := in.call(fn, args); o.Dst >= 0 {
				regs[o.Dst] = v
			}
		case code.Ret:
			if o.Value == nil {
				return 0
			}
			return eval(o.Value)
		case code.Assume, code.Attempt, code.Section, code.Life:
		case code.Assert:
			if eval(o.Cond) != 1 {
				in.failed = append(in.failed, o.Text)
			}
		default:
			in.t.Fatalf("%T is not for one thread", o)
		}
	}
}

// lowered is a program's unit.
func lowered(t testing.TB, text string, o Options) *code.Unit {
	t.Helper()
	u, err := Make(read.Source{Files: []read.File{{Name: "t.c", Text: text}}}, o)
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
		for _, o := range []Options{{Entry: "test"}, {Entry: "test", Overflow: true}} {
			result, in := interpret(t, lowered(t, string(text), o), "test")
			if result != 0 {
				t.Errorf("%s: %#x is wrong", name, result)
			}
			_ = in.failed
		}
	}
}
