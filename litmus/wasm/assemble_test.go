package wasm_test

import (
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/wasm"
)

// The tests' memory: the barrier's counter, a table of one cell, a row of results for each thread, then the cell.
const (
	barrierAt = 0
	orderAt   = 64
	resultsAt = 1024
	rowBytes  = 1024
	cellAt    = 1 << 16
)

// sharedMemory is a module that exports a shared memory.
var sharedMemory = append(append([]byte("\x00asm\x01\x00\x00\x00"),
	append([]byte{5, 5, 1, 3, 4}, binary.AppendUvarint(nil, wasm.MostPages)...)...),
	append([]byte{7, 10, 1, 6}, "memory\x02\x00"...)...)

// runtime is an engine with one shared memory.
type runtime struct {
	wazero.Runtime
	memory api.Memory
}

func newRuntime(t testing.TB) *runtime {
	t.Helper()
	features := api.CoreFeaturesV2 | experimental.CoreFeaturesThreads
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	t.Cleanup(func() { r.Close(context.Background()) })
	env, err := r.InstantiateWithConfig(t.Context(), sharedMemory, wazero.NewModuleConfig().WithName("env"))
	if err != nil {
		t.Fatal(err)
	}
	return &runtime{r, env.ExportedMemory("memory")}
}

// run runs the threads one after another in an order. It returns what is observed, or ok is false for a cell that is
// not counted.
func (r *runtime) run(t testing.TB, test *wasm.Test, order []int) (values []uint64, ok bool) {
	t.Helper()
	m := r.memory
	for at := uint32(0); at < uint32(cellAt+2*test.Cell); at += 8 {
		m.WriteUint64Le(at, 0)
	}
	m.WriteUint32Le(orderAt, cellAt)
	for _, v := range test.Initial {
		write(m, cellAt+uint32(v.Offset), v.Bits, v.Value)
	}
	for _, i := range order {
		m.WriteUint32Le(barrierAt, 1<<30) // nobody waits
		module, err := r.InstantiateWithConfig(
			t.Context(),
			test.Threads[i].Module,
			wazero.NewModuleConfig().WithName(""),
		)
		if err != nil {
			t.Fatalf("%v\n%s", err, test.Threads[i].Listing)
		}
		results := uint64(resultsAt + i*rowBytes)
		run := module.ExportedFunction("run")
		if _, err := run.Call(t.Context(), orderAt, results, barrierAt, 0, 1, 0, 7); err != nil {
			t.Fatalf("%v\n%s", err, test.Threads[i].Listing)
		}
		module.Close(t.Context())
		if status, _ := m.ReadUint64Le(uint32(results)); status != 0 {
			return nil, false
		}
	}
	for _, o := range test.Observed {
		at := uint32(cellAt + o.Index)
		if o.Thread >= 0 {
			at = uint32(resultsAt + o.Thread*rowBytes + 8*o.Index)
		}
		v, _ := m.ReadUint64Le(at)
		values = append(values, v&ir.Mask(o.Bits))
	}
	return values, true
}

func write(m api.Memory, at uint32, bits int, decimal string) {
	var v uint64
	for _, c := range decimal {
		v = v*10 + uint64(c-'0')
	}
	old, _ := m.ReadUint64Le(at)
	m.WriteUint64Le(at, old&^ir.Mask(bits)|v)
}

// reference runs the threads of a program one after another with cursors. ok is false where a thread does not end.
// An error is one of the test: it accesses what is no location.
func reference(p *ir.Program, order []int) (values []uint64, ok bool, err error) {
	memory := make([]uint64, len(p.Locs))
	for i, l := range p.Locs {
		memory[i] = l.Init
	}
	read := func(a ir.Action) (v uint64) {
		pieces, _ := p.Pieces(a.Loc, a.Bits)
		for _, q := range pieces {
			v |= memory[q.Loc] << q.Lo
		}
		return v & ir.Mask(a.Bits)
	}
	store := func(a ir.Action, v uint64) {
		pieces, _ := p.Pieces(a.Loc, a.Bits)
		for _, q := range pieces {
			memory[q.Loc] = q.In(v)
		}
	}
	registers := make([][]uint64, len(p.Threads))
	for _, t := range order {
		c := ir.NewCursor(p, t, false)
		for steps := 0; ; steps++ {
			a, err := c.Next()
			if err != nil || steps > 1000 {
				return nil, false, err
			}
			switch a.Kind {
			case ir.ActLoad:
				c.Read(read(a))
			case ir.ActRMW:
				if w, writes := c.Read(read(a)); writes {
					store(a, w)
				}
			case ir.ActStore:
				store(a, a.Value)
				c.Pass()
			case ir.ActStoreCond:
				if a.Reserved >= 0 {
					store(a, a.Value)
				}
				c.Conditional(a.Reserved >= 0)
			case ir.ActChoose:
				c.Choose(true)
			case ir.ActFence, ir.ActPick:
				c.Pass()
			case ir.ActEnd:
			default:
				return nil, false, nil
			}
			if a.Kind == ir.ActEnd {
				break
			}
		}
		registers[t] = c.Regs
	}
	for _, o := range p.Observed {
		v := uint64(0)
		if o.Thread >= 0 {
			v = registers[o.Thread][o.Index]
		} else {
			v = read(ir.Action{Loc: o.Index, Bits: o.Bits})
		}
		values = append(values, v&ir.Mask(o.Bits))
	}
	return values, true, nil
}

// orders are the threads in ascending and in descending order, and from the middle.
func orders(n int) (out [][]int) {
	var up, down, middle []int
	for i := range n {
		up, down, middle = append(up, i), append([]int{i}, down...), append(middle, (i+n/2)%n)
	}
	return [][]int{up, down, middle}
}

// compare checks that the threads of a program compute what cursors do. It reports whether the program was run.
func compare(t *testing.T, r *runtime, name string, p *ir.Program) (ran bool) {
	t.Helper()
	test, err := wasm.Assemble(p)
	if err != nil {
		return false
	}
	for _, s := range p.Threads {
		for _, step := range s.Code {
			if c, free := step.Op.(ir.Choose); free && !c.Weak {
				return false // the choices of the two differ
			}
		}
	}
	bounded, _ := ir.Unroll(p, wasm.Rounds, ir.Waits{})
	for _, order := range orders(len(p.Threads)) {
		want, ends, err := reference(bounded, order)
		if err != nil {
			continue
		}
		got, counted := r.run(t, test, order)
		if ends != counted {
			t.Errorf("%s, threads %v: counted is %t, want %t", name, order, counted, ends)
			return true
		}
		if !ends {
			continue
		}
		if g, w := p.FormatState(test.State(got)), p.FormatState(want); g != w {
			t.Errorf("%s, threads %v: got %s, want %s", name, order, g, w)
			return true
		}
	}
	return true
}

// The threads of the catalogue's tests, run one after another, do what the tests say.
func TestCatalogue(t *testing.T) {
	r := newRuntime(t)
	all := catalogue.All()
	if testing.Short() {
		all = catalogue.Core()
	}
	ran := 0
	for _, e := range all {
		p, err := dialect.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if compare(t, r, e.Arch+"/"+e.Name, p) {
			ran++
		}
	}
	t.Logf("%d of %d tests ran", ran, len(all))
	if ran < len(all)*8/10 {
		t.Errorf("only %d of %d tests can run", ran, len(all))
	}
}

// So do those of the reference corpus, with mixed-size accesses, exclusives, and arithmetic.
func TestOtherMachinesAreRefused(t *testing.T) {
	for source, want := range map[string]string{
		"PTX a\n{ }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0;\nst.weak x, 1 | ld.weak r0, x;\n" +
			"exists (1:r0=1)\n": "on the processor",
		"AArch64 b\n{ [PTE(x)]=(valid:0); 0:X1=x; 1:X1=x; }\nP0 | P1;\nLDR W0,[X1] | LDR W0,[X1];\n" +
			"exists (0:X0=0)\n": "page tables",
	} {
		p, err := dialect.Parse("test.litmus", source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := wasm.Assemble(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error about %s", err, want)
		}
	}
}

func TestCorpus(t *testing.T) {
	root := os.Getenv("LITMUSCOPE_CORPUS")
	if root == "" {
		root = "../../../shared/corpus"
	}
	var files []string
	_ = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".litmus" {
			files = append(files, path)
		}
		return nil
	})
	if len(files) == 0 {
		t.Skip("the corpus is not there")
	}
	r := newRuntime(t)
	ran, read := 0, 0
	for i, file := range files {
		if testing.Short() && i%25 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := dialect.Parse(file, string(text)); err == nil {
			if read++; compare(t, r, file, p) {
				ran++
			}
		}
	}
	t.Logf("%d of %d tests ran", ran, read)
}
