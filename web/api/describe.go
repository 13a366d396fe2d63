package api

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// tagTable groups the operations, as documentation and generated clients show them.
var tagTable = []struct {
	name, about string
	operations  []string
}{
	{
		"tests", "Litmus tests: outcomes, drawings, repairs, translations.",
		[]string{"explore", "draw", "repair", "compile", "name", "generate"},
	},
	{"programs", "C programs with threads.", []string{"verify", "repair-program"}},
	{"models", "Tests that distinguish memory models.", []string{"distinguish"}},
	{
		"suites", "Many tests at once, in the background.",
		[]string{"submit", "suites", "suite", "results", "events", "cancel", "compare", "badge", "report"},
	},
	{
		"lists", "Lists of models, engines, compilers, classic tests and limits.",
		[]string{"models", "engines", "compilers", "catalogue", "limits"},
	},
}

// schemaNames renames schemas whose Go type names are clear only within their packages.
var schemaNames = map[string]string{
	"Answer": "ComparedAnswer", "Binding": "VariableBinding", "Bound": "EngineBound", "Broken": "BrokenCycle",
	"Change":  "RepairChange",
	"Checked": "MappingCheck", "Comparison": "CompareRequest", "ComparisonResult": "CompareResponse",
	"Definition":  "RelationDefinition",
	"Distinction": "DistinguishingTest", "EndInfo": "SuiteEnd", "Entry": "ClassicTest", "Error": "SourceError",
	"Every":      "ProgramsCompared",
	"Executions": "ExecutionsCompared", "Family": "TestFamily", "Fault": "SourceFault", "Fix": "SourceFix",
	"Flag":      "ModelFlag",
	"Generated": "GeneratedTest", "LimitInfo": "Limit", "Line": "CompiledLine", "Listing": "CompiledThread",
	"Local": "RenamedLocal", "ModelInfo": "Model",
	"PartAnswer": "ExplorationPart",
	"Pos":        "SourcePosition", "Program": "SubmittedProgram", "Remark": "SourceRemark", "Reply": "RepairResult",
	"State": "CountedState",
	"Stats": "EngineStatistics", "SubmissionOptions": "SuiteSubmission", "SuiteOptions": "Suite",
	"SuitesResponse": "SuiteList",
	"Tally":          "CompareTotals", "Test": "SubmittedTest", "ToldApart": "DistinguishResult",
	"Verdict": "ModelVerdict",
}

// schemaName returns a schema's name in the document, and so in clients that are generated from it.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for in, out := range map[string]string{"InputBody": "Request", "OutputBody": "Response"} {
		if of, has := strings.CutSuffix(name, in); has {
			name = of + out
		}
	}
	return cmp.Or(schemaNames[name], name)
}

// describe adds tags to all operations, and the response 415 to those with a body.
func describe(doc *huma.OpenAPI) {
	for _, t := range tagTable {
		doc.Tags = append(doc.Tags, &huma.Tag{Name: t.name, Description: t.about})
	}
	unsupported := strconv.Itoa(http.StatusUnsupportedMediaType)
	for path, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op == nil {
				continue
			}
			for _, t := range tagTable {
				if slices.Contains(t.operations, op.OperationID) {
					op.Tags = []string{t.name}
				}
			}
			if op.Tags == nil {
				panic("BUG: no tag for " + path)
			}
			if op.RequestBody != nil && op.Responses[unsupported] == nil {
				r := *op.Responses[strconv.Itoa(http.StatusUnprocessableEntity)]
				r.Description = http.StatusText(http.StatusUnsupportedMediaType)
				op.Responses[unsupported] = &r
			}
		}
	}
}
