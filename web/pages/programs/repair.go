package programs

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/change"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/solver/synth"
	"litmuscope/solver/synth/optimise"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// searching is a search for changes of a program in a child process: [childwork.RepairingPrograms] finds the cheapest
// changes that make the program correct under all of its models, [childwork.WeakeningPrograms] the orders that a
// correct program does not need.
type searching = pool.Kind[optimise.Asking, *synth.Reply]

// search runs a search. It calls told with partial results. It returns the same errors as verify.
func (s *page) search(
	ctx context.Context, kind searching, q verifyQuestion, costs string, told func(*synth.Reply),
) (*synth.Reply, error) {
	if err := s.questions.Fits("", &question.Question{ModelText: costs}); err != nil {
		return nil, err
	}
	q.Options.Witnesses = false // the questions of the search need no executions
	language := q.language()
	if language == frontend.Module {
		return nil, server.Refuse("A module of LLVM IR is not repaired by itself: the changed program must be " +
			"compiled again. Ask about its C++ or Rust program.")
	}
	written, asked := q.VerifyTask, q
	tasks, err := s.tasks(ctx, &q)
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		if tasks[i].Model == "" {
			_, tasks[i].Model = engines.VerifyModels(tasks[i])
		}
	}
	ctx, cancel := question.WithinQuestion(ctx)
	defer cancel()
	r, err := kind.Follow(ctx, s.questions.Sandbox,
		optimise.Asking{Pairs: tasks, Costs: costs, Timeout: childwork.ProgramRepairTime}, told)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Looking for changes")
	case r.Status == solver.Failed && len(r.BadTest) > 0:
		bad := &badProgram{detail: r.Error, task: written}
		for _, e := range r.BadTest {
			bad.faults = append(bad.faults,
				solver.Fault{File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col, Message: e.Msg})
		}
		return nil, bad
	case r.Status == solver.Failed:
		return nil, question.RefusalOf(fmt.Errorf("%s", r.Error))
	}
	if language != "" {
		err = s.confirm(ctx, &asked, tasks, r)
	}
	return r, err
}

// confirm compiles the program of each repair again and asks about it.
func (s *page) confirm(ctx context.Context, q *verifyQuestion, tasks []solver.VerifyTask, r *synth.Reply) error {
	main := q.Files[0].Name
	return optimise.ConfirmRepairs(ctx, optimise.Question{Pairs: tasks, Runner: s.questions.Runner}, r,
		func(ctx context.Context, sources map[string]string) (string, error) {
			changed := *q
			changed.Files = []solver.SourceFile{{Name: main, Text: sources[main]}}
			changed.Include = maps.Clone(sources)
			delete(changed.Include, main)
			if err := s.compile(ctx, &changed); err != nil {
				return "", err
			}
			return changed.Files[0].Text, nil
		})
}

// weakens is what stands before the model in field "repair" if the question is what the program does not need.
const weakens = "weaken "

// postRepair repairs the form's program under the model in field "repair", or under all ticked models if it is empty.
// After the word weaken, it finds what the program does not need.
// Scripts get partial results and then the repairs, browsers without scripts a page.
func (s *page) postRepair(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	c, err := checkedClaim(r.PostForm)
	model, weaken := strings.CutPrefix(r.PostForm.Get("repair"), weakens)
	if err == nil && model != "" {
		c.Models = []string{model}
	}
	kind, view := childwork.RepairingPrograms, viewRepairs
	if weaken {
		kind, view = childwork.WeakeningPrograms, viewWeakened
	}
	status := http.StatusOK
	var a textpage.Answer
	if err == nil {
		var opens *textpage.Opens
		if !server.IsFragment(r) {
			opens = opensOf(c, r.PostForm)
		}
		var sent bool
		if a, sent, err = textpage.InParts(s.server, w, r,
			func(told func(func() templ.Component)) (a textpage.Answer, err error) {
				found, err := s.search(r.Context(), kind, c.verifyQuestion, "", func(soFar *synth.Reply) {
					told(func() templ.Component { return textpage.RepairsPart(viewRepairing(c, soFar, view)) })
				})
				if err == nil {
					v := view(c, found)
					v.Address = server.AddressOf("/programs/repair", r.PostForm, "open", "rerun")
					v.Opens = opens
					a.Part = textpage.RepairsPart(v)
				}
				return a, err
			}); sent {
			return
		}
	}
	if err != nil {
		if status, a.Part = s.server.ErrorPart(w, r, err); a.Part == nil {
			return
		}
	}
	if !server.IsFragment(r) {
		a.Part = plainPage(server.Nonce(r.Context()), "Repairs", a.Part)
	}
	s.server.Render(w, r, status, a.Part)
}

// underModels names the models of a claim: "under RC11, Power".
func underModels(c claim) string {
	var labels []string
	for _, m := range c.Models {
		labels = append(labels, question.Label(m))
	}
	return " under " + strings.Join(labels, ", ")
}

// viewRepairs arranges the repairs of a program.
func viewRepairs(c claim, r *synth.Reply) textpage.Repairs {
	v := textpage.ViewRepairs("Repairs"+underModels(c), "C", r, nil)
	if slices.ContainsFunc(r.Repairs, func(a synth.Repair) bool {
		return slices.ContainsFunc(a.Changes, func(c synth.Change) bool { return c.Kind == change.Atomic })
	}) {
		v.Next = "The plain accesses of an object that becomes _Atomic are sequentially consistent. To use weaker " +
			"orders, write them as atomic_load_explicit and atomic_store_explicit, " +
			"and then ask which orders can be weaker."
	}
	return v
}

// viewWeakened arranges what a program does not need.
func viewWeakened(c claim, r *synth.Reply) textpage.Repairs {
	return textpage.ViewWeakenedProgram("Orders that the program does not need"+underModels(c), r)
}

// viewRepairing arranges partial results.
func viewRepairing(c claim, r *synth.Reply, view func(claim, *synth.Reply) textpage.Repairs) textpage.Repairs {
	v := textpage.Repairs{Title: view(c, r).Title, Says: solver.Count(r.Asked, "question") + " asked"}
	if n := len(r.Repairs); n > 0 {
		so := view(c, r)
		v.Repairs = so.Repairs
		v.Says += fmt.Sprintf(", %s found", solver.Count(n, "cheapest repair"))
	}
	v.Says += "."
	return v
}

// opensOf returns a form that opens the claim with changed files.
func opensOf(c claim, f url.Values) *textpage.Opens {
	o := &textpage.Opens{
		URL: "/programs", Models: c.Models,
		Files: slices.Concat([]solver.SourceFile{{Name: c.Path, Text: c.Source}}, c.Others),
	}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if slices.Contains([]string{"source", "file", "file-name", "file-text", "repair", "model"}, name) {
			continue
		}
		for _, value := range f[name] {
			o.Fields = append(o.Fields, textpage.OpensField{Name: name, Value: value})
		}
	}
	return o
}

// Bodies of the operation repair/program.
type (
	repairProgramInput struct {
		Body struct {
			ProgramBody
			Costs string `json:"costs,omitempty" limit:"test" doc:"the costs of changes, in the format of the command repair; they extend the default table"`
		}
	}
	repairProgramOutput struct{ Body *synth.Reply }
)

// restRepair mounts the operation repair/program.
func (s *page) restRepair(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "repair-program", Path: "/api/v1/repair/program",
		Summary: "Repair a program in C, C++ or Rust",
		Description: "Finds the cheapest stronger orders of a C program's atomic accesses, and fences between its " +
			"statements, that make all chosen properties hold under all models at once. " +
			"Plain objects of C programs in data races can become _Atomic; their accesses are then sequentially " +
			"consistent. " +
			"A repaired program in C++ or Rust has been compiled and verified again. " +
			"The response has all repairs of the lowest cost, each with its changes to the file as a " +
			"diff and with what fails without each change. " +
			"No cheaper repair suffices within the bounds of the options. " +
			"Programs and options are as in verify. The option timeout limits each single question, " +
			fmt.Sprintf("and all questions together can take %v. After that, the response has what was found, with "+
				"status unknown. ",
				server.ShortTime(childwork.ProgramRepairTime)) +
			"If the program cannot be read, the response is a problem with status 422; its errors give files, lines " +
			"and " +
			"columns.",
	}), func(ctx context.Context, in *repairProgramInput) (*repairProgramOutput, error) {
		q, err := in.Body.question()
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		r, err := s.search(ctx, childwork.RepairingPrograms, q, in.Body.Costs, func(*synth.Reply) {})
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		return &repairProgramOutput{r.Public()}, nil
	})
}
