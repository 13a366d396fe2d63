package agreement

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

const sb = `X86 SB
{ x=0; y=0; }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
`

// sbStates are its outcomes under tso.
const sbStates = `[{"0:EAX":"0","1:EAX":"0"},{"0:EAX":"0","1:EAX":"1"},{"0:EAX":"1","1:EAX":"0"},{"0:EAX":"1","1:EAX":"1"}]`

// folder writes files into a folder of the test's own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ask plans a request for paths, and runs it.
func ask(t *testing.T, r Request, paths ...string) (*Tally, error) {
	t.Helper()
	r.Options = solver.DefaultOptions()
	p, err := r.Plan(t.Context(), paths, strings.NewReader(sb))
	if err != nil {
		return nil, err
	}
	tally, err := p.Run(t.Context(), engines.Local{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return tally, nil
}

// Each kind of request compares what it says, and counts what agrees and what does not.
func TestRequests(t *testing.T) {
	references := folder(t, map[string]string{"sb.litmus": sb, "reference.jsonl": strings.Join([]string{
		`{"path":"sb.litmus","model":"tso","observation":"Sometimes","condition_holds":true,"states":` + sbStates + `}`,
		`{"path":"sb.litmus","model":"sc","observation":"Sometimes","condition_holds":true,"states":` + sbStates + `}`,
	}, "\n")})
	programs := folder(t, map[string]string{
		"p.c": "#include <assert.h>\nint main(void) { assert(0); }\n",
		"reference.jsonl": `{"path":"p.c","model":"rc11","property":"assertion","verdict":"unsafe"}` + "\n" +
			`{"path":"p.c","model":"sc","property":"assertion","verdict":"safe"}`,
	})
	lists := folder(t, map[string]string{
		"expect.txt": "SB tso Sometimes\nSB sc Always\n",
		"skip.txt":   "p.c sc it is here to be left out\n",
	})
	expect := filepath.Join(lists, "expect.txt")
	test := filepath.Join(folder(t, map[string]string{"SB.litmus": sb}), "SB.litmus")
	sc := map[string]solver.Task{"tso": {Model: "sc"}}
	for name, tt := range map[string]struct {
		request                  Request
		path                     string
		agreed, differing, leave int
	}{
		"references":             {Request{}, references, 1, 1, 0},
		"one model":              {Request{Models: []string{"tso"}}, references, 1, 0, 0},
		"another model instead":  {Request{Models: []string{"tso"}, Instead: sc}, references, 0, 1, 0},
		"one in two":             {Request{Sample: 2, Models: []string{"tso"}}, references, 1, 0, 0},
		"another engine":         {Request{Against: "machine", Models: []string{"sc", "tso"}}, test, 2, 0, 0},
		"another engine, stdin":  {Request{Against: "machine"}, "-", 1, 0, 0},
		"within a weaker model":  {Request{Within: "tso", Models: []string{"sc"}}, test, 1, 0, 0},
		"within a stronger one":  {Request{Within: "sc", Models: []string{"tso"}}, test, 0, 1, 0},
		"expectations":           {Request{Expect: expect}, test, 1, 1, 0},
		"programs":               {Request{}, programs, 1, 1, 0},
		"programs, but not some": {Request{Skip: filepath.Join(lists, "skip.txt")}, programs, 1, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			tt.request.Engine = "axiomatic"
			tally, err := ask(t, tt.request, tt.path)
			if err != nil {
				t.Fatal(err)
			}
			if tally.Count(Agreed) != tt.agreed || tally.Differing() != tt.differing || tally.LeftOut != tt.leave {
				t.Errorf("%d agreed, %d differ, %d left out", tally.Count(Agreed), tally.Differing(), tally.LeftOut)
				_ = tally.Print(os.Stderr)
			}
		})
	}
}

// An impossible comparison is an error before anything runs.
func TestRefusedRequests(t *testing.T) {
	references := folder(t, map[string]string{
		"reference.jsonl": `{"path":"gone.litmus","model":"tso","observation":"Sometimes","condition_holds":true}`,
	})
	for want, tt := range map[string]struct {
		request Request
		path    string
	}{
		"lists a test that cannot be read": {Request{}, references},
		"nothing to compare":               {Request{Models: []string{"sc"}}, references},
		"--expect: open":                   {Request{Expect: filepath.Join(references, "no.txt")}, references},
	} {
		if _, err := ask(t, tt.request, tt.path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
