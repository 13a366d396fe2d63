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
	{"models", "What tells memory models apart.", []string{"distinguish"}},
	{
		"suites", "Many tests at once, in the background.",
		[]string{"submit", "suites", "suite", "results", "events", "cancel", "compare", "badge", "report"},
	},
	{
		"lists", "What there is: models, engines, classic tests, limits.",
		[]string{"models", "engines", "catalogue", "limits"},
	},
}

// schemaNames are the names of schemas whose types have names that say what they are in their packages alone.
var schemaNames = map[string]string{
	"Answer": "ComparedAnswer", "Binding": "VariableBinding", "Bound": "EngineBound", "Broken": "BrokenCycle",
	"Change":  "RepairChange",
	"Checked": "MappingCheck", "Comparison": "CompareRequest", "ComparisonResult": "CompareResponse",
	"Definition":  "RelationDefinition",
	"Distinction": "DistinguishingTest", "EndInfo": "SuiteEnd", "Entry": "ClassicTest", "Error": "SourceError",
	"Every":      "ProgramsCompared",
	"Executions": "ExecutionsCompared", "Family": "TestFamily", "Fault": "SourceFault", "Fix": "SourceFix",
	"Flag":      "ModelFlag",
	"Generated": "GeneratedTest", "LimitInfo": "Limit", "Local": "RenamedLocal", "ModelInfo": "Model",
	"PartAnswer": "ExplorationPart",
	"Pos":        "SourcePosition", "Program": "SubmittedProgram", "Remark": "SourceRemark", "Reply": "RepairResult",
	"State": "CountedState",
	"Stats": "EngineStatistics", "SubmissionOptions": "SuiteSubmission", "SuiteOptions": "Suite",
	"SuitesResponse": "SuiteList",
	"Tally":          "CompareTotals", "Test": "SubmittedTest", "ToldApart": "DistinguishResult",
	"Verdict": "ModelVerdict",
}

// schemaName is what a schema is called in the document, and in clients that are generated from it.
func schemaName(t reflect.Type, hint string) string {
	name := huma.DefaultSchemaNamer(t, hint)
	for in, out := range map[string]string{"InputBody": "Request", "OutputBody": "Response"} {
		if of, has := strings.CutSuffix(name, in); has {
			name = of + out
		}
	}
	return cmp.Or(schemaNames[name], name)
}

// describe gives each operation its tag, and each that takes a body the answer to a body in another media type.
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
