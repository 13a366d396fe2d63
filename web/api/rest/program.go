package rest

import (
	"encoding/json"

	"litmuscope/solver"
)

// Program is a program whose executions a suite explores in parts.
type Program struct {
	Path       string              `json:"path" limit:"suite-path" doc:"path that answers show"`
	Files      []solver.SourceFile `json:"files" limit:"program-files" doc:"the program's translation units"`
	Include    map[string]string   `json:"include,omitempty" limit:"program-files,program" doc:"files that the program may include, by name"`
	Dirs       []string            `json:"dirs,omitempty" limit:"program-defines,name" doc:"folders among these names in which to search for includes"`
	Defines    []string            `json:"defines,omitempty" limit:"program-defines,program" doc:"macros: NAME or NAME=VALUE"`
	DataModel  string              `json:"data_model,omitempty" enum:"lp64,ilp32" doc:"width of long and of pointers; default: the one of the model's machine"`
	Char       string              `json:"char,omitempty" enum:"signed,unsigned" doc:"signedness of plain char; default: the one of the model's machine"`
	Volatile   string              `json:"volatile,omitempty" enum:"plain,relaxed" doc:"how accesses of volatile objects count: plain, or relaxed as relaxed atomics; default: plain"`
	Plain      string              `json:"plain,omitempty" limit:"name" doc:"relaxed:NAME,NAME: plain accesses of these variables and fields count as relaxed atomics"`
	Entry      string              `json:"entry,omitempty" limit:"name" doc:"the function in which the program begins; default: main"`
	Target     string              `json:"target,omitempty" limit:"name" doc:"the architecture to which atomics are compiled"`
	Properties []string            `json:"properties,omitempty" limit:"choices,name" doc:"properties to check; default: assertion, and data-race under models that define data races"`
	Count      bool                `json:"count,omitempty" doc:"continue after a failure, to count all executions"`
	// What the answer to the first part has said.
	Known     string `json:"known,omitempty" limit:"suite-models" doc:"facts about the program from the answer to the first part, as JSON"`
	Symmetric bool   `json:"symmetric,omitempty" doc:"explore identical threads as symmetric"`
	Apart     bool   `json:"apart,omitempty" doc:"distinguish identical threads"`
	Lives     bool   `json:"lives,omitempty" doc:"track lifetimes of memory"`
}

// ProgramOf returns the program of a part.
func ProgramOf(t solver.VerifyTask) *Program {
	p := &Program{
		Path: t.Path, Files: t.Files, Include: t.Include, Dirs: t.Dirs, Defines: t.Defines, DataModel: t.DataModel,
		Char: t.Char, Volatile: t.Volatile, Plain: t.Plain, Entry: t.Entry, Target: t.Target, Count: t.Count,
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
		Char: p.Char, Volatile: p.Volatile, Plain: p.Plain, Entry: p.Entry, Target: p.Target,
		Verify: solver.Verify{Count: p.Count},
		Part:   &solver.Part{Symmetric: p.Symmetric, Apart: p.Apart, Lives: p.Lives},
	}
	t.Verify = t.With(p.Properties)
	if json.Valid([]byte(p.Known)) {
		t.Part.Known = json.RawMessage(p.Known)
	}
	return t
}
