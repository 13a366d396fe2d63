package solver

import (
	"slices"
	"strings"

	"litmuscope/litmus/ir"
)

// VerifyTask is a C program, as text, and what to check of it under one model. The engines read no other file.
type VerifyTask struct {
	Path string `json:"path"` // shown in answers
	// Files are the program's translation units, and Include what they may include, by name as the places of errors
	// have it; the preprocessor searches Dirs for that, after the including file's own folder.
	Files   []SourceFile      `json:"files"`
	Include map[string]string `json:"include,omitempty"`
	Dirs    []string          `json:"dirs,omitempty"`
	Defines []string          `json:"defines,omitempty"` // in their order: NAME or NAME=VALUE, or -UNAME
	// DataModel is lp64 or ilp32, and Char, which plain char is like, signed or unsigned; "" is as the model's machine
	// has it.
	DataModel string `json:"data_model,omitempty"`
	Char      string `json:"char,omitempty"`
	// Volatile is plain or relaxed, how accesses of volatile objects count; "" is plain. Plain is "relaxed:" and names,
	// with commas between them, of variables and fields whose plain accesses count as relaxed atomics.
	Volatile string `json:"volatile,omitempty"`
	Plain    string `json:"plain,omitempty"`
	Entry    string `json:"entry,omitempty"` // the function to begin with; "" = main

	// a built-in model's name, or the name of ModelText; "" = the engine's or the program's own
	Model     string `json:"model"`
	ModelText string `json:"model_text,omitempty"`
	// ModelFiles are files that ModelText may include, by name, beside the library's.
	ModelFiles map[string]string `json:"model_files,omitempty"`
	// Target is the architecture to which the front end compiles C's atomics; "" leaves it to the model.
	Target  string  `json:"target,omitempty"`
	Engine  string  `json:"engine"` // "" = the default one
	Options Options `json:"options"`
	// Part, unless nil, asks about a part of the executions.
	Part *Part `json:"part,omitempty"`

	Verify
}

// SourceFile is a file of a program.
type SourceFile struct {
	Name string `json:"name" limit:"name"`
	Text string `json:"text" limit:"program"`
}

// Property returns the names of the properties, joined by +.
func (v Verify) Property() string {
	names := make([]string, len(v.Properties))
	for i, p := range v.Properties {
		names[i] = string(p)
	}
	return strings.Join(names, "+")
}

// With returns v with the properties of these names.
func (v Verify) With(properties []string) Verify {
	v.Properties = nil
	for _, name := range properties {
		v.Properties = append(v.Properties, ir.Property(name))
	}
	return v
}

// Has reports whether the task includes a property.
func (v Verify) Has(p ir.Property) bool {
	return slices.Contains(v.Properties, p)
}
