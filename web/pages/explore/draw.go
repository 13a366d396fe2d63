package explore

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/solver"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Bodies of the operation draw.
type (
	drawInput struct {
		Body struct {
			Source string `json:"source" limit:"test" doc:"the litmus test"`
			Model  string `json:"model,omitempty" limit:"name" doc:"a built-in model, a name in own_models, or a name for model_text; default: the model of the test's architecture" example:"tso"`
			State  solver.
				State `json:"state,omitempty" limit:"state,name" doc:"the outcome, as explore writes it; default: the outcome that the test's condition asks about" example:"{\"0:EAX\":\"0\",\"1:EAX\":\"0\"}"`
			Execution int                `json:"execution,omitempty" minimum:"1" doc:"which execution with this outcome, counted from 1"`
			Format    string             `json:"format,omitempty" enum:"svg,dot,tikz,figure,json,text" default:"svg" doc:"the picture's format; figure is TikZ for a LaTeX document that uses litmuscope.sty; text describes the picture in words"`
			Engine    string             `json:"engine,omitempty" limit:"name" doc:"the engine; default: the server's default engine"`
			Options   optionform.Options `json:"options,omitempty"`
			ModelText string             `json:"model_text,omitempty" limit:"test" doc:"a model in the cat language; model names it, with a name that is neither built in nor in own_models"`
			Own       []solver.
					OwnModel `json:"own_models,omitempty" limit:"own-models" doc:"models in the cat language, under the names that model can use"`
		}
	}
	drawOutput struct {
		Body struct {
			Verdict solver.Verdict `json:"verdict" doc:"the outcome's verdict: allowed, forbidden or unknown"`
			Title   string         `json:"title" doc:"a description of the picture; for a forbidden outcome, with the reason"`
			Miss    bool           `json:"miss" doc:"the picture is not an execution that the model allows, but the closest forbidden one, with the forbidden cycle highlighted"`
			Format  string         `json:"format"`
			Media   string         `json:"media" doc:"the media type of the picture" example:"image/svg+xml"`
			Picture string         `json:"picture"`
		}
	}
)

// restDraw mounts the operation draw.
func (s *page) restDraw(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "draw", Path: "/api/v1/draw",
		Summary: "Draw an execution",
		Description: "Draws an execution of a litmus test with a given outcome, as a graph of its events. If the " +
			"model forbids the outcome, " +
			"it draws the closest forbidden execution, if the engine has one, and the title gives the reason. " +
			"If there is nothing to draw, the response is a problem with status 422.",
	}), func(ctx context.Context, in *drawInput) (*drawOutput, error) {
		out, err := s.drawn(ctx, in)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		return out, nil
	})
}

// drawn answers the operation draw. It refuses an execution number that is higher than the number of executions to
// draw.
func (s *page) drawn(ctx context.Context, in *drawInput) (*drawOutput, error) {
	format, known := drawing.FormatOf(in.Body.Format)
	if !known {
		format = drawing.Formats[0]
	}
	q := question.Question{
		Source: in.Body.Source, Engine: in.Body.Engine, Own: in.Body.Own, ModelText: in.Body.ModelText,
		Options: in.Body.Options.OrUsual(), Again: true,
	}
	q.Options.Witnesses = true
	v, err := s.pictures.ViewPicture(ctx, q,
		answer.Pick{Column: in.Body.Model, State: in.Body.State, N: max(in.Body.Execution, 1)})
	if err != nil {
		return nil, err
	}
	if in.Body.Execution > v.N {
		return nil, server.Refuse("execution: got %d, but the outcome has only %s to draw.", in.Body.Execution,
			solver.Count(v.N, "execution"))
	}
	shown, note := v.Drawn()
	out := &drawOutput{}
	out.Body.Verdict, out.Body.Title, out.Body.Miss, out.Body.Format, out.Body.Media = v.Verdict, v.Title(), v.Miss,
		format.Name, format.Media
	out.Body.Picture, err = s.pictures.File(ctx, shown, note, format, layout.View{})
	return out, err
}
