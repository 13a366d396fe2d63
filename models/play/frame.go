package play

// Frame is the visible state of a run after one of its steps; the first frame is the state before the first step.
type Frame struct {
	Did    string `json:"did,omitempty"` // what the step did, in words
	Thread int    `json:"thread"`        // whose it was, by index; -1 for the first frame
	Source int    `json:"source"`        // its instruction, by index in the thread's column; -1 for none
	// Note says what is unusual about the step: that it overtakes an earlier one.
	Note string `json:"note,omitempty"`
	// Events are those of the drawn execution that the step performs.
	Events []int `json:"events,omitempty"`
	// Waiting are the performed writes that some thread cannot see yet.
	Waiting []int `json:"waiting,omitempty"`
	// Memory is what all threads see, by location; nil if each thread has its own view.
	Memory []Cell `json:"memory,omitempty"`
	// Messages is memory as machines with views have it: a list of writes, numbered from 1. nil of others.
	Messages []Message `json:"messages,omitempty"`
	// Orders: Memory lists the messages of each location in coherence order, because their numbers do not.
	Orders bool `json:"orders,omitempty"`
	// Propagates: Messages are what threads have committed to a storage subsystem, which propagates them one by one.
	// Memory lists the writes of each location in coherence order.
	Propagates bool     `json:"propagates,omitempty"`
	Threads    []Thread `json:"threads"`
	// Choice is the step as a part of a path, Choices are the steps that can come next.
	Choice  string   `json:"choice,omitempty"`
	Choices []Choice `json:"choices,omitempty"`
}

// Thread is one thread in a frame.
type Thread struct {
	Next    int    `json:"next"`              // its next instruction; -1 when it has ended
	Blocked string `json:"blocked,omitempty"` // what that waits for
	Regs    []Cell `json:"regs,omitempty"`
	Buffer  []Cell `json:"buffer,omitempty"` // its pending stores, oldest first
	View    []Cell `json:"view,omitempty"`   // what it sees, by location
	Bounds  []Cell `json:"bounds,omitempty"` // the messages after which its next accesses come
}

// Message is a write in a memory of messages.
type Message struct {
	Thread   int    `json:"thread"` // by index
	Text     string `json:"text"`   // "x=1"
	New      bool   `json:"new,omitempty"`
	Promised bool   `json:"promised,omitempty"` // its instruction has not executed yet
}

// Cell is a register or location with its printed value.
type Cell struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	New   bool   `json:"new,omitempty"`   // the step has set it
	Until *int   `json:"until,omitempty"` // of a pending store: when it reaches memory, if that is known
}

// Choice is a step that can come next.
type Choice struct {
	Step   string `json:"step"`   // as part of a path: it means the same in every state that offers it
	Thread int    `json:"thread"` // by index
	Text   string `json:"text"`   // "MOV EAX,[y]", "flush x=1"
	Flush  bool   `json:"flush,omitempty"`
}
