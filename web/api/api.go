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
			Source    string             `json:"source" limit:"test" doc:"the litmus test, of an architecture's instructions or in C" example:"X86 SB\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV [y],$1  ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"`
			Models    []string           `json:"models,omitempty" limit:"models,name" doc:"names of built-in models, or of model_text; MODEL~AXIOM is one without that axiom; when absent, model_text, or else the model of the test's architecture" example:"[\"sc\",\"tso\"]"`
			Engine    string             `json:"engine,omitempty" limit:"name" doc:"the engine; the default when absent; some answer for a few models only, and heed a few options"`
			Options   optionform.Options `json:"options,omitempty"`
			ModelText string             `json:"model_text,omitempty" limit:"test" doc:"a model in the cat language, for the one name in models that is neither built in nor in own_models"`

			Own []solver.
				OwnModel `json:"own_models,omitempty" limit:"own-models" doc:"models in the cat language, by the names that models has them under; when models is absent, all are asked; one that cannot be read has a result with status error"`
		}
	}
	exploreOutput struct {
		Body struct {
			Results []*solver.
				Result `json:"results" doc:"one for each model, in the order in which each is first asked for"`
		}
	}
	modelsInput struct {
		Name string `query:"name" doc:"only the model of this name"`
		Text bool   `query:"text" default:"true" doc:"with the models' text"`
	}
	modelInfo struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		Text  string `json:"text,omitempty" doc:"the model in the cat language"`
	}
	modelsOutput   struct{ Body []modelInfo }
	enginesOutput  struct{ Body []engines.Engine }
	catalogueInput struct {
		Name  string `query:"name" doc:"only the tests of this name, one for each architecture that has it" example:"SB"`
		Arch  string `query:"arch" doc:"only the tests of this architecture, by its name or another that is in use, such as ARM64" example:"X86"`
		Brief bool   `query:"brief" doc:"without their sources, and what models say of them"`
	}
	catalogueOutput struct{ Body []catalogue.Entry }
)

// rest mounts the REST interface, its OpenAPI document and its page.
func (s *service) rest(r chi.Router) {
	c := huma.DefaultConfig("litmuscope", "1")
	c.Info.Description = "Explore litmus tests under weak memory models: which outcomes does a model allow, and how " +
		"do they come about?"
	c.OpenAPIPath, c.SchemasPath = "/api/openapi", "/api/schemas"
	c.DocsPath = "" // the page below needs nothing from elsewhere
	c.CreateHooks = nil
	c.Formats = server.JSONFormats()
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	// A state writes itself as an object, which its Go type does not tell.
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[solver.State](), reflect.TypeFor[map[string]string]())
	c.Servers = []*huma.Server{{URL: "/", Description: "this server"}}
	// Who gives a token is known by it, whether one is wanted or not; where one is, the operation says so.
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "a token, as litmuscope token add gives it"},
	}
	c.Security = []map[string][]string{{}, {"bearer": {}}}
	// What the operations that list give, and the documents, stay as they are until there is another program.
	api := humachi.New(
		r.With(
			server.Kept("/api/v1/models", "/api/v1/engines", "/api/v1/catalogue", "/api/v1/limits", "/api/openapi*",
				"/api/schemas/*")), c)

	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "explore", Path: "/api/v1/explore",
		Summary: "Explore a test",
		Description: "Runs a litmus test under one or more models. A test or a model that cannot be read is a " +
			"problem with status 422, " +
			"whose errors have its lines and columns. With the option witnesses, outcomes carry their execution " +
			"graph or trace; " +
			"with explain, what is forbidden carries the axiom, a cycle and the execution that misses it by least. " +
			"Each model answers once. Options above the server's ceilings are brought down to them; of an answer " +
			"that is too long, " +
			"states are left out, and states_complete is false.",
	}), s.restExplore)
	huma.Register(api, huma.Operation{
		OperationID: "models", Method: http.MethodGet, Path: "/api/v1/models",
		Errors:  []int{http.StatusTooManyRequests},
		Summary: "List the models",
		Description: "The built-in memory models and the published versions of models, with their text, or one of " +
			"them.",
	}, func(ctx context.Context, in *modelsInput) (*modelsOutput, error) {
		names := slices.Concat(models.Names(), published.Names())
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
		Description: "The engines that explore tests, with the models that each answers for; the first is the default.",
	}, func(context.Context, *struct{}) (*enginesOutput, error) {
		return &enginesOutput{engines.All()}, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "catalogue", Method: http.MethodGet, Path: "/api/v1/catalogue",
		Errors:  []int{http.StatusTooManyRequests},
		Summary: "List the classic tests", Description: "The classic tests, by architecture and family, each with a " +
			"note, its shape and cycle, and what every built-in model says of it, with the publication that says so " +
			"where there is one.",
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
		Summary: "List the limits", Description: "Lists the server's limits, and what happens beyond each.",
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
	}
	a, err := s.questions.Explore(ctx, q)
	if err == nil {
		out := &exploreOutput{}
		out.Body.Results = a.Results
		return out, nil
	}
	return nil, s.server.Problem(ctx, err)
}
