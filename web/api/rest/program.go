package rest

import (
	"encoding/json"

	"litmuscope/solver"
)

// Program is a program whose executions a suite explores in parts.
type Program struct {
	Path       string              `json:"path" limit:"suite-path" doc:"shown in answers"`
	Files      []solver.SourceFile `json:"files" limit:"program-files" doc:"the program's translation units"`
	Include    map[string]string   `json:"include,omitempty" limit:"program-files,program" doc:"files that it may include, by name"`
	Dirs       []string            `json:"dirs,omitempty" limit:"program-defines,name" doc:"folders among these names to search"`
	Defines    []string            `json:"defines,omitempty" limit:"program-defines,program" doc:"macros, NAME or NAME=VALUE"`
	DataModel  string              `json:"data_model,omitempty" enum:"lp64,ilp32" doc:"width of long and of pointers; as the model's machine has it when absent"`
	Char       string              `json:"char,omitempty" enum:"signed,unsigned" doc:"what plain char is; as the model's machine has it when absent"`
	Entry      string              `json:"entry,omitempty" limit:"name" doc:"the function to begin with; main when absent"`
	Target     string              `json:"target,omitempty" limit:"name" doc:"what atomics are compiled to"`
	Properties []string            `json:"properties,omitempty" limit:"choices,name" doc:"what to check; when absent, assertion, and data-race under models that define data races"`
	Count      bool                `json:"count,omitempty" doc:"go on when something fails, so that all executions are counted"`
	// What the answer to the first part has said.
	Known     string `json:"known,omitempty" limit:"suite-models" doc:"what the first part has found out about the program, as JSON"`
	Symmetric bool   `json:"symmetric,omitempty" doc:"threads that are alike are explored as such"`
	Apart     bool   `json:"apart,omitempty" doc:"threads that are alike are told apart"`
	Lives     bool   `json:"lives,omitempty" doc:"memory is followed to the end of its life"`
}

// ProgramOf is the program of a part.
func ProgramOf(t solver.VerifyTask) *Program {
	p := &Program{
		Path: t.Path, Files: t.Files, Include: t.Include, Dirs: t.Dirs, Defines: t.Defines, DataModel: t.DataModel,
		Char: t.Char, Entry: t.Entry, Target: t.Target, Count: t.Count,
	}
	for _, property := range t.Properties {
		p.Properties = append(p.Properties, string(property))
	}
	if part := t.Part; part != nil {
		p.Known, p.Symmetric, p.Apart, p.Lives = string(part.Known), part.Symmetric, part.Apart, part.Lives
	}
	return p
}

// Task is the task of its parts; nil of none.
func (p *Program) Task() *solver.VerifyTask {
	if p == nil {
		return nil
	}
	t := &solver.VerifyTask{
		Path: p.Path, Files: p.Files, Include: p.Include, Dirs: p.Dirs, Defines: p.Defines, DataModel: p.DataModel,
		Char: p.Char, Entry: p.Entry, Target: p.Target,
		Verify: solver.Verify{Count: p.Count},
		Part:   &solver.Part{Symmetric: p.Symmetric, Apart: p.Apart, Lives: p.Lives},
	}
	t.Verify = t.With(p.Properties)
	if json.Valid([]byte(p.Known)) {
		t.Part.Known = json.RawMessage(p.Known)
	}
	return t
}
