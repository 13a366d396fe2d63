package dialect_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
)

func TestArchs(t *testing.T) {
	for _, arch := range dialect.Archs() {
		if models.Default(arch) == "" {
			t.Errorf("%s has no model of its own", arch)
		}
		for _, name := range []string{arch, strings.ToLower(arch), strings.ToUpper(arch)} {
			if got := litmus.ArchName(name); got != arch {
				t.Errorf("%s is read as %s, want %s", name, got, arch)
			}
		}
	}
}

// Whatever tag a test's accesses and fences carry, models know it.
func TestTagsAreDeclared(t *testing.T) {
	declared := dialect.Vocabulary().Tags
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, th := range p.Threads {
			for _, s := range th.Code {
				var tags ir.Tags
				switch op := s.Op.(type) {
				case ir.Load:
					tags = op.Tags
				case ir.Store:
					tags = op.Tags
				case ir.StoreCond:
					tags = op.Tags
				case ir.RMW:
					tags = slices.Concat(op.Tags, op.WriteTags)
				case ir.Fence:
					tags = op.Tags
				}
				for _, tag := range tags {
					if !declared.Has(tag) && !tag.OfBell() {
						t.Errorf("%s: tag %s is not among its dialect's", e.ID(), tag)
					}
				}
			}
		}
	}
}

// FuzzRun: whatever Parse and Lower accept can be unrolled, and its threads run on
// any values without a panic or an endless loop.
func FuzzRun(f *testing.F) {
	addArchives(f)
	addTables(f)
	f.Fuzz(func(t *testing.T, source string) {
		p, err := dialect.Parse("t", source)
		if err != nil {
			return
		}
		for _, cut := range []ir.Waits{{}, {Reads: true}, {Reads: true, Locks: true}} {
			u, _ := ir.Unroll(p, 2, cut)
			for i := range u.Threads {
				run(t, u, i)
			}
		}
		p.FormatState(make(ir.State, len(p.Observed)))
		p.Satisfies(p.Condition.Prop, make(ir.State, len(p.Observed)))
		p.Satisfies(p.Filter, make(ir.State, len(p.Observed)))
	})
}

// run runs a thread of an unrolled program, which must end, on made-up values.
func run(t *testing.T, p *ir.Program, thread int) {
	random := rand.New(rand.NewPCG(uint64(thread), 1))
	c := ir.NewCursor(p, thread, true)
	for range len(p.Threads[thread].Code) + 1 {
		a, err := c.Next()
		if err != nil {
			return
		}
		switch a.Kind {
		case ir.ActEnd, ir.ActUnwound, ir.ActBlocked:
			return
		case ir.ActLoad, ir.ActRMW:
			v := p.Locs[a.Loc].Init
			if random.IntN(2) == 0 {
				v = random.Uint64N(3)
			}
			c.Read(v & ir.Mask(width(p, a)))
		case ir.ActStoreCond:
			c.Conditional(a.Reserved >= 0 && random.IntN(2) == 0)
		case ir.ActChoose:
			c.Choose(random.IntN(2) == 0)
		default:
			if a.Kind == ir.ActStore && a.Value&^ir.Mask(width(p, a)) != 0 {
				t.Errorf("P%d stores %#x into the %d bits of %s", thread, a.Value, width(p, a), p.Locs[a.Loc].Name)
			}
			c.Pass()
		}
		for i, r := range p.Threads[thread].Regs {
			if c.Regs[i]&^ir.Mask(r.Bits) != 0 {
				t.Fatalf("register %d of %d bits holds %#x", i, r.Bits, c.Regs[i])
			}
		}
	}
	t.Errorf("P%d runs past its end", thread)
}

// width is how many bits an access has: where it is to several locations, more than the first.
func width(p *ir.Program, a ir.Action) int {
	if p.Split && a.Bits > 0 {
		return min(a.Bits, 64) // Action.Next is the rest
	}
	return p.Locs[a.Loc].Bits
}

// addArchives adds the tests of the folder above and of the catalogue.
func addArchives(f *testing.F) {
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		switch filepath.Ext(path) {
		case ".litmus":
			f.Add(string(text))
			return err
		case ".txtar":
			for _, file := range txtar.Parse(text).Files {
				if strings.HasSuffix(file.Name, ".litmus") {
					f.Add(string(file.Data))
				}
			}
			return err
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// addTables adds the lines of every dialect's tables of instructions as tests, each with the architecture of its
// package if the line has none, and with a condition on one of its registers.
func addTables(f *testing.F) {
	paths, err := filepath.Glob("../isa/*/testdata/[ie]*s.txt")
	if err != nil || len(paths) < 2*7 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		arch := strings.Split(path, "/")[2]
		if i := slices.IndexFunc(dialect.Archs(), func(a string) bool { return strings.EqualFold(a, arch) }); i >= 0 {
			arch = dialect.Archs()[i]
		}
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			v := strings.Split(strings.TrimSpace(line), "|")
			if len(v) == 3 {
				v = slices.Insert(v, 0, arch)
			}
			if words, ok := dialect.Words(v[0]); ok && len(v) == 4 {
				f.Add(v[0] + " T\n{" + v[1] + "}\nP0;\n" + v[2] + ";\nlocations [x;0:" + words.Registers[0] +
					";] exists x=1\n")
			}
		}
	}
}

// A text with several errors reports all of them, and one without errors none.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{
			"X86 T\n{ x=; 0:EAX=2 y=1; z=3; 9:EAX=1; }\nP0 | P1 ;\nFOO | MOV EAX,[x] ;\nMOV EAX | JMP L ;\n" +
				"exists (0:EAX=1 /\\ )\n",
			"t:2:5 t:2:15 t:2:25 t:4:1 t:5:1 t:5:15 t:6:20",
		},
		{"X86 T\n{ }\nP0 ;\nFOO ;\n", "t:4:1"},
		{
			"C T\n{ x=; }\nP0(int *x) {\n  x = 1\n}\nP1(int *x) {\n  f(x);\n  if (*x) {\n    *x = ;\n  }\n}\n" +
				"P2(int *x, int) { }\nP3(int *x) { g(); }\nexists (0:r0= )\n",
			"t:2:5 t:5:1 t:7:3 t:9:10 t:12:12 t:13:14 t:14:15",
		},
		{"C T\n{ }\nP0(int *x) {\n  if (*x) {\n}\nP1(int *x) { f(x); }\nexists (0:r0=1)\n", "t:3:12 t:6:14"},
		{"C T\n{ }\nint f(int x) { }\n", "t:3:1"},
		{"X86 T\n{ x= ", "t:2:6"},
		{"", "t:1:1"},
		{"X86 T\n{ }\nP0 ;\nMOV EAX,$1 ;\nexists (0:EAX=1)\n", ""},
	} {
		source := c.source
		var got []string
		for _, e := range dialect.Errors("t", source) {
			got = append(got, e.Pos.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: errors at %v, want %s:\n%v", source, got, c.want, dialect.Errors("t", source))
		}
		_, err := dialect.Parse("t", source)
		if (err == nil) != (c.want == "") {
			t.Errorf("%s: %v", source, err)
		}
	}
}
