package programs

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// verifyQuestion is a visitor's program and the models to verify it under.
type verifyQuestion struct {
	solver.VerifyTask
	Models []string // none: the program's own, or the task's ModelText
	Own    []solver.OwnModel
	Again  bool // an answer from the cache suffices

	Language string // as [languageNamed] checks it
	Level    string // of the compiler's optimisation; "": [frontend.DefaultLevel]
	Compiler string // of those that the server offers; "": the first for the language
}

// badProgram is the error of a program, or of a visitor's model, that cannot be parsed.
type badProgram struct {
	detail string
	task   solver.VerifyTask
	faults []solver.Fault
	own    map[string]bool // the names of the visitor's models
}

// Error implements [error].
func (b *badProgram) Error() string { return b.detail }

// checkProgram returns a refusal if the program has wrong file names or exceeds a limit.
func checkProgram(q *verifyQuestion) error {
	size := 0
	seen := map[string]bool{}
	file := func(name, text string) error {
		size += len(name) + len(text)
		switch {
		case !fs.ValidPath(name) || name == "." || len(name) > server.MaxWord ||
			strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }):
			return server.Refuse("The file name %q must be relative to the program's folder, such as include/list.h.",
				server.Shortened(name))
		case seen[name]:
			return server.Refuse("Two files have the name %q.", server.Shortened(name))
		}
		seen[name] = true
		return nil
	}
	if len(q.Files) == 0 {
		return server.Refuse("Missing program: want source or files.")
	}
	if n := len(q.Files) + len(q.Include); n > server.MaxProgramFiles {
		return server.Refuse("The program has %d files. The limit is %d.", n, server.MaxProgramFiles)
	}
	for _, f := range q.Files {
		if err := file(f.Name, f.Text); err != nil {
			return err
		}
	}
	for name, text := range q.Include {
		if err := file(name, text); err != nil {
			return err
		}
	}
	for _, dir := range q.Dirs {
		if !fs.ValidPath(dir) {
			return server.Refuse("The folder %q must be relative to the program's folder.", server.Shortened(dir))
		}
	}
	if len(q.Defines) > server.MaxDefines || len(q.Dirs) > server.MaxDefines {
		return server.Refuse("There are more than %d macros or folders.", server.MaxDefines)
	}
	for _, d := range slices.Concat(q.Defines, q.Dirs) {
		size += len(d)
	}
	if q.Properties = unique(q.Properties); len(q.Properties) > server.MaxChoices {
		return server.Refuse("There are %d properties. The limit is %d.", len(q.Properties), server.MaxChoices)
	}
	if size > server.MaxProgram {
		return server.Refuse("The program is longer than %d KiB.", server.MaxProgram>>10)
	}
	return nil
}

// unique removes duplicates and keeps the first of each value.
func unique[T comparable](list []T) (out []T) {
	seen := map[T]bool{}
	for _, v := range list {
		if !seen[v] {
			seen[v], out = true, append(out, v)
		}
	}
	return out
}

// tasks returns one task per model, within the server's limits. It compiles programs in C++ and Rust.
func (s *page) tasks(ctx context.Context, q *verifyQuestion) ([]solver.VerifyTask, error) {
	for i := range q.Files {
		q.Files[i].Text = server.UnixLines(q.Files[i].Text)
	}
	if err := checkProgram(q); err != nil {
		return nil, err
	}
	if err := s.questions.Fits("", &question.Question{Own: q.Own}); err != nil {
		return nil, err
	}
	s.questions.Ceil(&q.Options)
	if q.Path == "" {
		q.Path = q.Files[0].Name
	}
	if _, err := q.tasks(); err != nil { // before the compiler runs
		return nil, err
	}
	if err := s.compile(ctx, q); err != nil {
		return nil, err
	}
	return q.tasks()
}

// tasks returns one task per model. It returns a refusal if a model or the engine does not fit the question.
func (q *verifyQuestion) tasks() ([]solver.VerifyTask, error) {
	names := q.Models
	if len(names) == 0 {
		for _, m := range q.Own {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	names = unique(names)
	if len(names) > server.MaxVerified {
		return nil, server.Refuse("There are %d models. The limit is %d.", len(names), server.MaxVerified)
	}
	own := map[string]solver.OwnModel{}
	for _, m := range q.Own {
		if m.Name == "" || models.IsBuiltIn(m.Name) {
			return nil, server.Refuse("Rename your model %q: a built-in model has this name, or the name is empty.",
				server.Shortened(m.Name))
		}
		if m.Text == "" {
			return nil, server.Refuse("The model %s has no text.", server.Shortened(m.Name))
		}
		if _, twice := own[m.Name]; twice {
			return nil, server.Refuse("Two models have the name %q.", server.Shortened(m.Name))
		}
		own[m.Name] = m
	}
	var tasks []solver.VerifyTask
	for _, name := range names {
		t := q.VerifyTask
		t.Model, t.Engine = name, cmp.Or(t.Engine, engines.Auto)
		base, _ := models.Split(name)
		if m, ok := own[base]; ok {
			t.ModelText, t.ModelFiles = m.Text, m.Files
		}
		// The visitor's texts are parsed later, in a child process, so Admit sees the task without them.
		asked := t
		if asked.ModelText != "" {
			asked.Model, asked.ModelText, asked.ModelFiles = "", "", nil
			if e, err := engines.Find(asked.Engine); err == nil && len(e.Models) > 0 {
				asked.Model = e.Models[0] // any supported model: the child checks the visitor's own
			}
		}
		asked.Files, asked.Include = nil, nil
		if err := engines.Admit(asked); err != nil {
			return nil, question.RefusalOf(err)
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// verify verifies a program under each model. It calls told with all answers so far whenever one of them changes; nil
// means that there is no news of an answer yet. It returns a refusal, a badProgram, or an error of the runner.
func (s *page) verify(
	ctx context.Context, q verifyQuestion, told func([]*solver.Verification),
) ([]*solver.Verification, error) {
	written := q.VerifyTask // errors are at places of the program as the visitor has written it
	tasks, err := s.tasks(ctx, &q)
	if err != nil {
		return nil, err
	}
	limited, cancel := question.WithinQuestion(ctx)
	defer cancel()
	out := make([]*solver.Verification, len(tasks))
	var coming sync.Mutex
	if err := question.AtOnce(len(tasks), func(i int) error {
		hear := func(so *solver.Verification) {
			coming.Lock()
			defer coming.Unlock()
			if isPending(out[i]) {
				out[i] = so
				told(slices.Clone(out))
			}
		}
		v, err := question.Ask(solver.Following(limited, hear), s.questions, tasks[i], q.Again)
		coming.Lock()
		defer coming.Unlock()
		if out[i] = v; err == nil && (v.Status != solver.Failed || len(v.Faults) == 0) {
			told(slices.Clone(out))
		}
		return err
	}); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(out,
		func(v *solver.Verification) bool { return v.Status != solver.Failed || len(v.Faults) == 0 }) {
		bad := &badProgram{detail: out[0].Error, task: written, faults: out[0].Faults, own: map[string]bool{}}
		for _, m := range q.Own {
			bad.own[m.Name] = true
		}
		return nil, bad
	}
	return out, question.Room(ctx, out)
}

// isPending reports whether an answer is not final.
func isPending(v *solver.Verification) bool { return v == nil || v.Status == "" }

// ignorePartial ignores partial answers.
func ignorePartial([]*solver.Verification) {}

// ProgramBody is the part of a REST request that describes a program, its properties and models.
type ProgramBody struct {
	Source string `json:"source,omitempty" limit:"program" doc:"the program, if it is one file; its name is main with the ending of its language" example:"#include <pthread.h>\n#include <assert.h>\nint x, y, a, b;\nvoid *t(void *p) { y = 1; b = x; return 0; }\nint main(void) {\n  pthread_t id;\n  pthread_create(&id, 0, t, 0);\n  x = 1; a = y;\n  pthread_join(id, 0);\n  assert(a || b);\n}"`
	Files  []solver.
		SourceFile `json:"files,omitempty" limit:"program-files" doc:"the program's translation units, instead of source"`
	Language  string            `json:"language,omitempty" enum:"c,c++,rust,llvm-ir" doc:"the program's language; default: as the ending of the first file's name says, or the text of source"`
	Level     string            `json:"level,omitempty" enum:"O0,O1,O2" doc:"for C++ and Rust, the compiler's level of optimisation; default: O1"`
	Compiler  string            `json:"compiler,omitempty" limit:"name" doc:"for C++ and Rust, one of the front_ends that the operation compilers lists; default: the first for the language"`
	Include   map[string]string `json:"include,omitempty" limit:"program-files,program" doc:"files that the program includes, by name; besides these, only litmuscope's own headers are read"`
	Dirs      []string          `json:"dirs,omitempty" limit:"program-defines,name" doc:"folders in these names to search for headers, after the including file's folder"`
	Defines   []string          `json:"defines,omitempty" limit:"program-defines,program" doc:"macros in order, as NAME or NAME=VALUE; -UNAME undefines one"`
	DataModel string            `json:"data_model,omitempty" enum:"lp64,ilp32" doc:"width of long and of pointers; default: ilp32 under arm and mips, else lp64"`
	Char      string            `json:"char,omitempty" enum:"signed,unsigned" doc:"signedness of plain char; default: unsigned under aarch64, arm, power and riscv, else signed"`
	Volatile  string            `json:"volatile,omitempty" enum:"plain,relaxed" doc:"how accesses of volatile objects count: plain, or relaxed as relaxed atomics; default: plain"`
	Plain     string            `json:"plain,omitempty" limit:"name" doc:"relaxed:NAME,NAME: plain accesses of these variables and fields count as relaxed atomics"`
	Entry     string            `json:"entry,omitempty" limit:"name" doc:"the function where the program starts; default: main"`
	Models    []string          `json:"models,omitempty" limit:"program-models,name" doc:"names of built-in models or of own_models; default: own_models, or else the program's own" example:"[\"sc\",\"tso\"]"`
	Own       []solver.
			OwnModel `json:"own_models,omitempty" limit:"program-models" doc:"models in the cat language, under the names that models can use"`
	Target     string `json:"target,omitempty" limit:"name" doc:"what atomics are compiled to; default: the model's choice"`
	Engine     string `json:"engine,omitempty" limit:"name" doc:"the engine; default: auto, which runs two at once. Some engines support only a few models and options"`
	Properties []ir.
			Property `json:"properties,omitempty" limit:"choices,name" doc:"the properties to check: assertion, data-race, memory, termination, overflow, leak; default: assertion, and data-race under models that define data races"`
	Options optionform.Verify `json:"options,omitempty"`
}

// question converts the body to a question.
func (b *ProgramBody) question() (verifyQuestion, error) {
	q := verifyQuestion{Models: b.Models, Own: b.Own}
	q.Files, q.Include, q.Dirs, q.Defines = b.Files, b.Include, b.Dirs, b.Defines
	q.DataModel, q.Char, q.Entry, q.Target, q.Engine = b.DataModel, b.Char, b.Entry, b.Target, b.Engine
	q.Volatile, q.Plain = b.Volatile, b.Plain
	q.Properties, q.Options = b.Properties, b.Options.OrUsual()
	if b.Source != "" {
		if len(q.Files) > 0 {
			return q, server.Refuse("Give the program in source or in files, not in both.")
		}
		name := "main" + path.Ext(fileName(server.UnixLines(b.Source), b.Language))
		q.Files = []solver.SourceFile{{Name: name, Text: b.Source}}
	}
	q.Language, q.Level, q.Compiler = b.Language, b.Level, b.Compiler
	return q, nil
}

// Bodies of the operation verify.
type (
	verifyInput struct {
		Body struct {
			ProgramBody
			Count    bool `json:"count,omitempty" doc:"also count complete executions, except those where a weak compare-and-exchange fails spuriously"`
			Minimise bool `json:"minimise,omitempty" doc:"find a failure with as few context switches or reorderings as possible"`
		}
	}
	verifyOutput struct {
		Body struct {
			Results []*solver.Verification `json:"results" doc:"one result per model, in the order of models"`
		}
	}
)

// restVerify mounts the operation verify.
func (s *page) restVerify(api huma.API) {
	huma.Register(api, s.server.Asking(huma.Operation{
		OperationID: "verify", Path: "/api/v1/verify",
		Summary: "Verify a program in C, C++ or Rust, or a module of LLVM IR",
		Description: "Decides whether a program with threads can fail under each model: unsafe, safe or unknown. " +
			"Compilers of the server turn C++ and Rust into LLVM IR first; a server without them accepts LLVM IR. " +
			"For safe, complete tells whether the verdict holds for runs of any length or only within the bounds. " +
			"With the option witnesses, a failure has its execution and, if the model has a machine, the machine's " +
			"steps. " +
			"If the program or a model cannot be read, the response is a problem with status 422; its errors give " +
			"files, " +
			"lines and columns. " +
			"The server lowers options that exceed its limits.",
	}), func(ctx context.Context, in *verifyInput) (*verifyOutput, error) {
		q, err := in.Body.question()
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		q.Count, q.Minimise = in.Body.Count, in.Body.Minimise
		results, err := s.verify(ctx, q, ignorePartial)
		if err != nil {
			return nil, s.server.Problem(ctx, err)
		}
		out := &verifyOutput{}
		out.Body.Results = results
		return out, nil
	})
}
