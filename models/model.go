package models

// Model is a memory model.
type Model struct {
	Name  string // "tso", or the file's name
	Title string // the model's own title line
	Text  string // its source
}
