// Scripttypes writes static/src/server.d.ts: the TypeScript types of the JSON that the server sends to the page's
// scripts. It reads them from the Go types that handlers encode, which roots lists, and follows their fields. A field
// has the name and the "?" that its json tag asks for. Comments come from the Go source, or from doc tags.
//
//	go run ./static/scripttypes
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// written is the path of the file, relative to the root of the repository.
const written = "static/src/server.d.ts"

// root is a Go type that a handler encodes, or that a template puts into a page as JSON.
type root struct {
	script string // the type's name in scripts
	folder string // the package that has it, from the root of the repository
	name   string
	comes  string // how scripts get the value
}

// roots lists the roots in the order of the file. A type that a root refers to gets its Go name in scripts, unless it
// is also a root.
var roots = []root{
	{"Mark", "web/server", "Mark", ""},
	{"Fix", "web/server", "Fix", ""},
	{"ModelMark", "web/parts/textpage", "ModelMark", ""},
	{"Checked", "web/parts/textpage", "Checked", "POST /check"},
	{"CellMark", "web/parts/answer", "CellView", "#cells-data"},
	{"TestWords", "web/parts/completion", "Test", "GET /words?arch=X86"},
	{"CatWords", "web/parts/completion", "Models", "GET /words?arch=cat"},
	{"CatFile", "web/parts/completion", "File", ""},
	{"ProgramWords", "web/parts/completion", "Programs", "GET /words?arch=program"},
	{"TestExample", "web/pages/explore", "testExample", "GET /classic/{id}"},
	{"ProgramExample", "web/pages/programs", "scriptExample", "GET /programs/program/{id}"},
	{"ListedArch", "web/parts/classic", "Part", "GET /classics/list, GET /programs/list"},
	{"ListedFamily", "web/parts/classic", "Family", ""},
	{"Listed", "web/parts/classic", "Item", ""},
	{"PickerResults", "web/parts/classic", "Results", "GET /classics/list?q=, GET /programs/list?q="},
	{"PickerFound", "web/parts/classic", "Found", ""},
	{"LinkState", "web/parts/question", "LinkState", ""},
	{"AnswerPart", "web/parts/textpage", "partView", "a line of an answer that comes in parts"},
	{"ShareMenu", "web/parts/textpage", "shareMenu", "GET /copy"},
	{"KeptLink", "web/parts/textpage", "keptLink", "POST /links"},
	{"ExecutionCount", "web/parts/picture", "executionCount", "POST /executions"},
	{"RecordedRun", "web/parts/picture", "runData", "the script in .player"},
	{"Frame", "web/parts/picture", "RunFrame", ""},
	{"PlainFrame", "models/play", "Frame", ""},
	{"ThreadState", "models/play", "Thread", ""},
	{"Assembled", "litmus/wasm", "Reply", "POST /device"},
	{"AssembledTest", "litmus/wasm", "Test", ""},
	{"AssembledThread", "litmus/wasm", "Thread", ""},
	{"ObservedPlace", "litmus/wasm", "Place", ""},
	{"PerpetualTest", "litmus/wasm", "Perpetual", ""},
	{"Walked", "solver/engines", "Walk", "POST /walk"},
	{"Places", "web/parts/picture", "placesView", "#places"},
	{"Place", "web/parts/picture", "placeView", ""},
	{"PlaceValue", "web/parts/picture", "valueView", ""},
	{"SuiteRow", "store", "MatrixRow", "GET /suites/{id}/matrix"},
	{"SuiteSeen", "store", "MatrixSeen", ""},
	{"SuiteMatching", "web/pages/suites", "matchingTests", "GET /suites/{id}/matching"},
	{"SuiteProgress", "web/pages/suites", "suiteInfo", "event progress of a suite"},
	{"SuiteMark", "web/pages/suites", "markInfo", "event rows of a suite, which has a list of them"},
	{"SuiteEnd", "web/pages/suites", "endInfo", "event end of a suite"},
	{"SuiteState", "solver/suites", "State", ""},
	{"ClassEvent", "web/pages/class", "classEvent", "events view, tally and end of a class"},
	{"CastVote", "web/pages/class", "cast", "POST /class/{code}/vote"},
	{"DeviceReply", "web/pages/class", "deviceReply", "POST /class/{code}/report"},
	{"Tried", "web/pages/class", "triedView", ""},
	{"SourceFile", "solver", "SourceFile", "data-without of a repair, which has a list of them"},
	{"TestError", "litmus", "Error", ""},
	{"TestFix", "litmus", "Fix", ""},
	{"TestPos", "litmus", "Pos", ""},
	{"SentModel", "solver", "OwnModel", ""},
	{"BuiltInModel", "web/api", "modelInfo", "GET /api/v1/models, which has a list of them"},
	{"TermCards", "web/parts/glossary", "termCards", "GET /glossary/terms"},
	{"SiteFile", "web/api/site", "siteFile", "site.json of a static site"},
	{"AssetTable", "static", "Table", ""},
	{"ProblemDocument", "web/api/rest", "Problem", "every answer that reports an error"},
}

// ownJSON has the TypeScript of types whose JSON does not follow from their fields, by package and name.
var ownJSON = map[string]string{
	"encoding/json.RawMessage":                "unknown",
	"litmuscope/solver.State":                 "Record<string, string>",
	"litmuscope/web/pages/suites.markInfo":    "[position: number, code: string, milliseconds: number]",
	"litmuscope/web/parts/optionform.Options": "Record<string, string | number | boolean>",
	"time.Time": "string",
}

func main() {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err == nil {
		err = os.Chdir(filepath.Dir(strings.TrimSpace(string(out))))
	}
	var text string
	if err == nil {
		text, err = generate(".")
	}
	if err == nil {
		err = os.WriteFile(written, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripttypes:", err)
		os.Exit(1)
	}
}

// generate returns the text of the file for the repository in a folder. It reads the packages of roots as source,
// because compiled packages do not list unexported types. It reads their imports as compiled packages.
func generate(repository string) (string, error) {
	const module = "litmuscope/"
	seen := map[string]bool{}
	var patterns []string
	for _, r := range roots {
		if !seen[r.folder] {
			seen[r.folder] = true
			patterns = append(patterns, module+r.folder)
		}
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir: repository,
	}, patterns...)
	if err != nil {
		return "", err
	}
	byPath := map[string]*packages.Package{}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return "", p.Errors[0]
		}
		byPath[p.PkgPath] = p
	}
	w := newWriter(ownJSON, loaded[0].Fset) // all packages share one file set
	for _, r := range roots {
		found := byPath[module+r.folder].Types.Scope().Lookup(r.name)
		if found == nil {
			return "", fmt.Errorf("package %s has no type %s", r.folder, r.name)
		}
		w.root(r.script, found, r.comes)
	}
	return w.text()
}
