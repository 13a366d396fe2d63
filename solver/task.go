package solver

import "crypto/sha256"

// Task is a test, as text, to run under one model.
type Task struct {
	Path      string `json:"path"`   // shown in results and errors
	Source    string `json:"source"` // the test
	Model     string `json:"model"`  // a built-in model's name, or the name of ModelText; "" = the dialect's own
	ModelText string `json:"model_text,omitempty"`
	// ModelFiles are files that ModelText may include, by name, beside the library's.
	ModelFiles map[string]string `json:"model_files,omitempty"`
	Engine     string            `json:"engine"` // "" = the default one
	Options    Options           `json:"options"`
	// Program, unless nil, replaces the test: a part of a program's executions. The answer is in Result.Part.
	Program *VerifyTask `json:"program,omitempty"`
}

// OwnModel is a user's own model, as text.
type OwnModel struct {
	Name  string            `json:"name" limit:"name" doc:"letters, digits, - and _; not the name of a built-in model"`
	Text  string            `json:"text" limit:"suite-models" doc:"the model in the cat language"`
	Files map[string]string `json:"files,omitempty" limit:"model-files,suite-models" doc:"the files that the text includes, by name"`
}

// Key identifies the answer to a task: a hash of all that decides it. Engine and Version are among that, and also
// separate fields, so that the cache can find the answers of outdated engines.
type Key struct {
	Hash    [sha256.Size]byte
	Engine  string
	Version int
}
