package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// The bodies of the REST interface.
type (
	exploreInput struct {
		Body struct {
			Source    string             `json:"source" limit:"test" doc:"the litmus test, in the instructions of an architecture or in C" example:"X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"`
			Models    []string           `json:"models,omitempty" limit:"models,name" doc:"names of models: built-in, or of model_text or own_models; MODEL~AXIOM is a model without that axiom; default: model_text, else the model of the test's architecture" example:"[\"sc\",\"tso\"]"`
			Engine    string             `json:"engine,omitempty" limit:"name" doc:"the engine; some engines support only a few models and options; default: the first of GET /api/v1/engines"`
			Options   optionform.Options `json:"options,omitempty"`
			ModelText string             `json:"model_text,omitempty" limit:"test" doc:"text in the cat language of the one model in models that is neither built-in nor in own_models"`

			Own []solver.
				OwnModel `json:"own_models,omitempty" limit:"own-models" doc:"own models in the cat language, with the names by which models refers to them; if models is absent, all of them answer; a model with errors gets a result with status error"`
		}
	}
	exploreOutput struct {
		Body struct {
			Results []*solver.
				Result `json:"results" doc:"one result for each model, in the order of their first mention"`

			Machines []solver.
					MachineRuns `json:"machines,omitempty" doc:"what machines have shown of the test, by the names of the machines; absent if the server's database has nothing"`
		}
	}
	modelsInput struct {
		Name string `query:"name" doc:"list only the model of this name"`
		Text bool   `query:"text" default:"true" doc:"include the models' text"`
	}
	modelInfo struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		Text  string `json:"text,omitempty" doc:"the model in the cat language"`
	}
	modelsOutput   struct{ Body []modelInfo }
	enginesOutput  struct{ Body []engines.Engine }
	catalogueInput struct {
		Name  string `query:"name" doc:"list only the tests of this name, one for each architecture that has it" example:"SB"`
		Arch  string `query:"arch" doc:"list only the tests of this architecture; other common names such as ARM64 work too" example:"X86"`
		Brief bool   `query:"brief" doc:"omit sources and verdicts"`
	}
	catalogueOutput struct{ Body []catalogue.Entry }
)

// rest mounts the REST interface, its OpenAPI document and its page.
func (s *service) rest(r chi.Router) {
	c := huma.DefaultConfig("litmuscope", "1")
	c.Info.Description = "Explore litmus tests under weak memory models: which outcomes does a model allow, and " +
		"which " +
		"executions lead to them?"
	c.OpenAPIPath, c.SchemasPath = "/api/openapi", "/api/schemas"
	c.DocsPath = "" // huma's own page loads scripts from other sites; the page below does not
	c.CreateHooks = nil
	c.Formats = server.JSONFormats()
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	// A state marshals to an object, which its Go type does not show.
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[solver.State](), reflect.TypeFor[map[string]string]())
	c.Servers = []*huma.Server{{URL: "/", Description: "this server"}}
	// A token identifies a client even if an operation does not need one. Operations that need one say so.
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "a token that litmuscope token add has printed"},
	}
	c.Security = []map[string][]string{{}, {"bearer": {}}}
	// The answers of the operations that list, and the documents, change only with the program.
	api := humachi.New(
		r.With(
			server.Kept("/api/v1/models", "/api/v1/engines", "/api/v1/catalogue", "/api/v1/limits", "/api/openapi*",
				"/api/schemas/*")), c)

	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "explore", Path: "/api/v1/explore",
		Summary: "Explore a test",
		Description: "Runs a litmus test under one or more models. If the test or a model has errors, the answer is " +
			"a problem with status 422 that lists their lines and columns. With the option witnesses, each outcome " +
			"has its execution graph or trace. With explain, a forbidden outcome has the axiom that forbids it, a " +
			"cycle, and the nearest execution. Each model answers once. The server reduces options above its " +
			"limits. If an answer is too long, it leaves out states and sets states_complete to false.",
	}), s.restExplore)
	huma.Register(api, huma.Operation{
		OperationID: "models", Method: http.MethodGet, Path: "/api/v1/models",
		Errors:  []int{http.StatusTooManyRequests},
		Summary: "List the models",
		Description: "Lists the built-in memory models and the published versions of models, with their text, or one " +
			"of them.",
	}, func(ctx context.Context, in *modelsInput) (*modelsOutput, error) {
		names := slices.Concat(models.AllNames(), published.Names())
		if in.Name != "" {
			names = []string{in.Name}
		}
		out := &modelsOutput{}
		for _, name := range names {
			var info modelInfo
			if v, ok := published.Find(name); ok && v.Text != "" {
				info = modelInfo{Name: v.Name, Title: v.Title, Text: v.Text}
			} else {
				m, err := models.Named(name)
				if err != nil {
					return nil, s.server.Problem(ctx, server.Refuse("%s", server.Sentence(err)))
				}
				info = modelInfo{Name: m.Name, Title: m.Title, Text: m.Text}
			}
			if !in.Text {
				info.Text = ""
			}
			out.Body = append(out.Body, info)
		}
		return out, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "engines", Method: http.MethodGet, Path: "/api/v1/engines",
		Errors:      []int{http.StatusTooManyRequests},
		Summary:     "List the engines",
		Description: "Lists the engines with the models that each supports. The first engine is the default.",
	}, func(context.Context, *struct{}) (*enginesOutput, error) {
		return &enginesOutput{engines.All()}, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "catalogue", Method: http.MethodGet, Path: "/api/v1/catalogue",
		Errors:  []int{http.StatusTooManyRequests},
		Summary: "List the classic tests", Description: "Lists the classic tests by architecture and family. " +
			"Each has " +
			"a note, its shape, its cycle and the verdict of every built-in model, with the publication that states " +
			"the verdict if there is one.",
	}, func(ctx context.Context, in *catalogueInput) (*catalogueOutput, error) {
		arch, err := catalogue.Arch(in.Arch)
		if err != nil {
			return nil, s.server.Problem(ctx, server.Refuse("%s", server.Sentence(err)))
		}
		out := &catalogueOutput{Body: []catalogue.Entry{}}
		for _, e := range catalogue.All() {
			if in.Name != "" && e.Name != in.Name || arch != "" && e.Arch != arch {
				continue
			}
			if in.Brief {
				e.Source, e.Verdicts = "", []catalogue.Verdict{}
			}
			out.Body = append(out.Body, e)
		}
		return out, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "limits", Method: http.MethodGet, Path: "/api/v1/limits",
		Errors:  []int{http.StatusTooManyRequests},
		Summary: "List the limits", Description: "Lists the server's limits and what happens beyond each.",
	}, func(context.Context, *struct{}) (*server.LimitsOutput, error) {
		return &server.LimitsOutput{Body: s.server.Limits.Infos()}, nil
	})
	for _, o := range s.others {
		if o.Operations != nil {
			o.Operations(api)
		}
	}
	s.server.Limits.Document(api.OpenAPI())
	describe(api.OpenAPI())
	view := viewDocs(api.OpenAPI())
	r.Get("/api/docs", func(w http.ResponseWriter, r *http.Request) {
		s.server.Render(w, r, http.StatusOK, docs(server.Nonce(r.Context()), view))
	})
}

func (s *service) restExplore(ctx context.Context, in *exploreInput) (*exploreOutput, error) {
	q := question.Question{
		Source: in.Body.Source, Models: in.Body.Models, Engine: in.Body.Engine, Own: in.Body.Own,
		ModelText: in.Body.ModelText,
		Options:   in.Body.Options.OrUsual(),
		Machines:  true,
	}
	a, err := s.questions.Explore(ctx, q)
	if err == nil {
		out := &exploreOutput{}
		out.Body.Results, out.Body.Machines = a.Results, a.Judged(question.Column.String)
		return out, nil
	}
	return nil, s.server.Problem(ctx, err)
}
