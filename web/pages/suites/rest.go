package suites

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"litmuscope/solver"
	"litmuscope/solver/report"
	"litmuscope/store"
	"litmuscope/web/parts/optionform"
)

// streamed registers an operation whose handler reads and writes by itself. The operation's body is only described:
// huma would read all of it into memory.
func streamed(api huma.API, op huma.Operation, answer http.HandlerFunc) {
	body := op.RequestBody
	op.RequestBody = nil
	huma.Register(api, op, func(context.Context, *struct{}) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humachi.Unwrap(ctx)
			answer(w, r)
		}}, nil
	})
	if body != nil {
		api.OpenAPI().Paths[op.Path].Post.RequestBody = body
	}
}

// Inputs and outputs of the operations that do not stream.
type (
	suiteInput struct {
		ID string `path:"id" doc:"the suite's ID"`
	}
	suiteOutput struct {
		NotKept string `header:"Cache-Control" hidden:"true"`
		Body    suiteInfo
	}
	suitesInput struct {
		Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"the maximum number of suites to list"`
		Before string `query:"before" pattern:"^[0-9]*$" patternDescription:"a position" maxLength:"20" doc:"the value of next from a previous list; lists the suites that follow"`
		Label  string `query:"label" doc:"key=value"`
	}
	suitesOutput struct {
		NotKept string `header:"Cache-Control" hidden:"true"`
		Body    struct {
			Suites []suiteInfo `json:"suites"`
			Next   string      `json:"next,omitempty" doc:"the value of before for the rest of the list; absent at the end"`
		}
	}
)

func (s *page) scoped(scope store.Scope, op huma.Operation, errors ...int) huma.Operation {
	op.Errors = append(errors, http.StatusTooManyRequests, http.StatusInternalServerError)
	return s.server.Scoped(scope, op)
}

// binary is the schema of an uploaded file.
func (s *page) binary() *huma.Schema {
	most := int(s.server.Limits.Upload.Bytes())
	return &huma.Schema{Type: huma.TypeString, Format: "binary", MaxLength: &most}
}

func media(kind string, s *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{kind: {Schema: s}}
}

// restCompare mounts the comparison, which works without suites if both sides are logs.
func (s *page) restCompare(api huma.API) {
	schema := func(t reflect.Type) *huma.Schema { return api.OpenAPI().Components.Schemas.Schema(t, true, "") }
	binary := s.binary()
	side := schema(reflect.TypeFor[comparedSide]())
	streamed(api, s.scoped(store.Read, huma.Operation{
		OperationID: "compare", Method: http.MethodPost, Path: "/api/v1/compare", Summary: "Compare suites and logs",
		Description: "Compares two suites, two models or engines of one suite, or a suite and a log of herd7, " +
			"litmus7 or " +
			"litmuscope. The response lists what changed, what is missing, and which outcomes a machine has shown " +
			"although a model forbids them. By default it compares rows under the same model; model and models of " +
			"the sides choose other pairs. Of a side without an answer, the kinds tell apart a refused test (error), " +
			"a limit (limit), an answer that a suite does not have yet (pending), a test that the side has, but not " +
			"under the compared model (model), and a test that it does not have (missing). The kind error-a in only " +
			"includes limit-a.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: schema(reflect.TypeFor[comparison]())},
			"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{
				"a": {OneOf: []*huma.Schema{side, binary}}, "b": {OneOf: []*huma.Schema{side, binary}},
			}}},
		}},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "OK",
				Content:     media("application/json", schema(reflect.TypeFor[comparisonResult]())),
			},
		},
	}, http.StatusNotFound, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity), s.postCompare)
}

// restSuites mounts the operations on suites. Most of them stream their input or output.
func (s *page) restSuites(api huma.API) {
	schema := func(t reflect.Type) *huma.Schema { return api.OpenAPI().Components.Schemas.Schema(t, true, "") }
	suiteSchema, requestSchema := schema(reflect.TypeFor[suiteInfo]()), schema(reflect.TypeFor[suiteRequest]())
	text := &huma.Schema{Type: huma.TypeString}
	most := int(s.server.Limits.Upload.Bytes())
	lines := &huma.Schema{Type: huma.TypeString, MaxLength: &most}
	binary := s.binary()
	word := func() *huma.Schema { return &huma.Schema{Type: huma.TypeString} } // limits depend on the parameter's name
	id := &huma.Param{Name: "id", In: "path", Required: true, Schema: word(), Description: "the suite's ID"}
	query := func(name, doc string, s *huma.Schema) *huma.Param {
		return &huma.Param{Name: name, In: "query", Schema: s, Description: doc}
	}
	whole, yes := &huma.Schema{Type: huma.TypeInteger}, &huma.Schema{Type: huma.TypeBoolean}
	list := func() *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: word()} }
	suiteAnswer := func(doc string) *huma.Response {
		return &huma.Response{Description: doc, Content: media("application/json", suiteSchema)}
	}
	params := []*huma.Param{
		{
			Name: "Idempotency-Key", In: "header", Schema: word(),
			Description: "a key for the submission; sending it again returns the existing suite",
		},
		query("name", "with an archive: the suite's name", word()),
		query("label", "with an archive: key=value; can be repeated", list()),
		query("model", "with an archive: a built-in model; can be repeated", list()),
		query("engine", "with an archive: the engine", word()),
	}
	for _, o := range solver.OptionTable {
		p := optionform.Schema(o)
		params = append(params, query(o.Name, "with an archive: "+p.Description, p))
	}
	streamed(api, s.scoped(store.Submit, huma.Operation{
		OperationID: "submit", Method: http.MethodPost, Path: "/api/v1/suites", Summary: "Submit a suite",
		Description: "Creates a suite from tests and returns it at once; the tests run in the background. " +
			"The request lists the tests, " +
			"or sends them as a zip or tar.gz archive of .litmus files, or as lines of JSON. Each line is an object " +
			"with path and source (or path and error, which makes a failed row). " +
			"A test that cannot be read becomes a failed row. With an archive, give the other fields in the query, " +
			"or in a part named suite before the part named tests.",
		Parameters: params,
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: requestSchema}, "application/zip": {Schema: binary},
			"application/gzip":     {Schema: binary},
			"application/x-ndjson": {Schema: lines},
			"multipart/form-data": {Schema: &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{
				"suite": requestSchema, "tests": binary,
			}}},
		}},
		Responses: map[string]*huma.Response{
			"202": suiteAnswer("The suite is stored and runs."),
			"200": suiteAnswer("The Idempotency-Key was used before for the same submission; this is its suite."),
		},
	}, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
		http.StatusUnprocessableEntity, http.StatusServiceUnavailable), s.postSuite)
	huma.Register(api, s.scoped(store.Read, huma.Operation{
		OperationID: "suites", Method: http.MethodGet, Path: "/api/v1/suites", Summary: "List the suites",
		Description: "Lists suites, the newest first.",
	}, http.StatusUnprocessableEntity), s.listSuites)
	huma.Register(api, s.scoped(store.Read, huma.Operation{
		OperationID: "suite", Method: http.MethodGet, Path: "/api/v1/suites/{id}", Summary: "Get a suite",
		Description: "Returns the suite's progress, its counts of verdicts and the time left.",
	}, http.StatusNotFound), s.getSuite)
	after := query("after",
		"the position to start at: the test's index times the number of models, plus the model's index", whole)
	follow := query("follow", "wait for each result until the suite ends", yes)
	results := map[string]*huma.MediaType{}
	for _, format := range report.Formats {
		kind, _, _ := strings.Cut(format.Media, ";")
		results[kind] = &huma.MediaType{Schema: text}
	}
	streamed(api, s.scoped(store.Read, huma.Operation{
		OperationID: "results", Method: http.MethodGet, Path: "/api/v1/suites/{id}/results",
		Summary: "Get a suite's results",
		Description: "Returns the results that exist so far, ordered by test and then by model. The trailer " +
			"Next-Position is the first missing position; use it as after in the next request.",
		Parameters: []*huma.Param{
			id, query("format", "default: jsonl", &huma.Schema{Type: huma.TypeString, Enum: anys(report.Names())}),
			after, follow,
		},
		Responses: map[string]*huma.Response{"200": {Description: "OK, in the format's media type", Content: results}},
	}, http.StatusNotFound, http.StatusUnprocessableEntity), s.suiteResults)
	three := 3
	mark := &huma.Schema{
		Type: huma.TypeArray, MinItems: &three, MaxItems: &three, Items: &huma.Schema{OneOf: []*huma.Schema{
			{Type: huma.TypeInteger, Description: "first the row's position, last its time in milliseconds"},
			{Type: huma.TypeString, Enum: []any{"a", "f", "u", "e"}},
		}},
	}
	event := func(name string, data *huma.Schema) *huma.Schema {
		return &huma.Schema{
			Type: huma.TypeObject, Title: "Event " + name, Required: []string{"event", "id", "data"},
			Properties: map[string]*huma.Schema{
				"event": {Type: huma.TypeString, Enum: []any{name}}, "id": word(), "data": data,
			},
		}
	}
	streamed(api, s.scoped(store.Read, huma.Operation{
		OperationID: "events", Method: http.MethodGet, Path: "/api/v1/suites/{id}/events", Summary: "Watch a suite",
		Description: "Server-sent events: progress, whose data is the suite; rows, a list of [position, code, " +
			"milliseconds] with code a (allowed), f (forbidden), u (unknown) or e (error); and end. Last-Event-ID " +
			"resumes.",
		Parameters: []*huma.Param{
			id, query("rows", "also send rows", yes),
			query("after", "the same as Last-Event-ID, for clients that cannot send that header", word()),
			{
				Name: "Last-Event-ID", In: "header", Schema: word(),
				Description: "the ID of the last event received; the server sends the events after it",
			},
		},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "OK",
				Content: media("text/event-stream",
					&huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{OneOf: []*huma.Schema{
						event("progress", suiteSchema), event("end", schema(reflect.TypeFor[endInfo]())),
						event("rows", &huma.Schema{Type: huma.TypeArray, Items: mark}),
					}}}),
			},
			"204": {Description: "Last-Event-ID is that of the event end: no more events follow, and an " +
				"EventSource stops reconnecting."},
		},
	}, http.StatusNotFound, http.StatusUnprocessableEntity), s.suiteEvents)
	streamed(api, s.scoped(store.Submit, huma.Operation{
		OperationID: "cancel", Method: http.MethodDelete, Path: "/api/v1/suites/{id}", Summary: "Cancel a suite",
		Description: "Keeps the suite's rows, unless purge deletes the suite.",
		Parameters:  []*huma.Param{id, query("purge", "delete the suite and its rows", yes)},
		Responses: map[string]*huma.Response{
			"200": suiteAnswer("The suite is cancelled, or had already ended."),
			"204": {Description: "The suite is deleted."},
		},
	}, http.StatusNotFound), s.deleteSuite)
	s.restCompare(api)
	for _, view := range []struct {
		id, path, summary, doc, kind string
		params                       []*huma.Param
		answer                       http.HandlerFunc
	}{
		{
			"badge", "badge.svg", "Get a suite's badge", "Returns a picture of the suite's state and counts, for " +
				"other sites.",
			"image/svg+xml",
			[]*huma.Param{id, query("label", "the badge's label; default: the suite's name", word())},
			s.suiteBadge,
		},
		{
			"report", "report.html", "Get a suite's report", "Returns a self-contained HTML page.", "text/html",
			[]*huma.Param{id, after, follow},
			s.suiteReport,
		},
	} {
		streamed(api, s.scoped(store.Read, huma.Operation{
			OperationID: view.id, Method: http.MethodGet, Path: "/api/v1/suites/{id}/" + view.path,
			Summary: view.summary, Description: view.doc,
			Parameters: view.params,
			Responses:  map[string]*huma.Response{"200": {Description: "OK", Content: media(view.kind, text)}},
		}, http.StatusNotFound, http.StatusUnprocessableEntity), view.answer)
	}
}

func anys(in []string) (out []any) {
	for _, s := range in {
		out = append(out, s)
	}
	return out
}
