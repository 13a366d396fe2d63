package models

// Graph is an execution made ready to be shown: plain data, with names instead
// of indices and only the edges worth drawing.
type Graph struct {
	Threads   []GraphThread `json:"threads"`
	Events    []GraphEvent  `json:"events"`
	Relations []GraphEdges  `json:"relations"`
}

// GraphThread is one column of the drawing.
type GraphThread struct {
	Name   string   `json:"name"`   // "P0"
	Source []string `json:"source"` // its instructions as written
}

// GraphEvent is one node.
type GraphEvent struct {
	ID     int      `json:"id"`
	Name   string   `json:"name"`   // "a", "b" …; "ix" for the initial write of x
	Thread int      `json:"thread"` // index into Threads; -1 for an initial write
	Source int      `json:"source"` // index into the thread's Source; -1 for an initial write
	Kind   string   `json:"kind"`   // R, W or F
	Loc    string   `json:"loc,omitempty"`
	Value  string   `json:"value,omitempty"`
	Tags   []string `json:"tags,omitempty"`
}

// GraphEdges are the edges of one relation. Base relations come first: po
// (between neighbours), rf, co (between neighbours), fr, then rmw, addr, data,
// ctrl, fence relations and whatever the model shows.
type GraphEdges struct {
	Name  string `json:"name"`
	Edges []Pair `json:"edges"`
	// Cyclic edges are drawn by default even where the default view would leave
	// the relation's other edges out: they take part in a cycle of po, rf, co, fr.
	Cyclic []Pair `json:"cyclic,omitempty"`
}
