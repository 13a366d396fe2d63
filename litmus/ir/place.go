package ir

import (
	"strings"

	"litmuscope/litmus"
)

// Tests for GPUs say in which scopes each thread is, and by which of its names an access goes to a location. Engines
// that evaluate models have a relation for each scope, between the events of threads in one; vloc, between accesses by
// one name; ssw, between threads that synchronize outside of the test; and syncbar, between control barriers that meet.

// Shared is a scope of a program, and each thread's number in it.
type Shared struct {
	Name string // "cta", "gpu"
	Of   []int  // by thread; threads with the same number share the scope
	// Number is by thread, too: as the test numbers scopes within the scope around them.
	Number []int
}

// scopeRelations are the relations between the events of threads that share a scope of a GPU, with the scope of each.
var scopeRelations = map[string]string{
	"scta": "cta", "sgpu": "gpu", "ssg": "sg", "swg": "wg", "sqf": "qf", "sdv": "dev",
}

// ScopeOf returns the scope of a relation between the events of threads that share it, and "" for another relation.
func ScopeOf(relation string) string {
	if scope, found := strings.CutPrefix(relation, litmus.ScopeRelation("")); found {
		return scope
	}
	return scopeRelations[relation]
}

// OfScopes reports whether a model's relation is between events of tests for GPUs.
func OfScopes(relation string) bool {
	return ScopeOf(relation) != "" || relation == "vloc" || relation == "ssw" || relation == "syncbar"
}

// Share reports whether two threads, by index, share a scope. No thread shares a scope that the program does not have.
func (p *Program) Share(scope string, a, b int) bool {
	for _, s := range p.Scopes {
		if s.Name == scope {
			return a >= 0 && b >= 0 && s.Of[a] == s.Of[b]
		}
	}
	return false
}

// Meets reports whether the program says that what thread a does comes before what thread b does.
func (p *Program) Meets(a, b int) bool {
	for _, m := range p.Meetings {
		if m == [2]int{a, b} {
			return true
		}
	}
	return false
}

// byName begins the tags of accesses that go to a location by another name than its own.
const byName = "by "

// ByName returns the tag of accesses that go to a location by another name.
func ByName(name string) Tag { return Tag(byName + name) }

// Name returns the name by which an access with these tags goes to its location: "" for the location's own.
func (t Tags) Name() string {
	for _, tag := range t {
		if name, found := strings.CutPrefix(string(tag), byName); found {
			return name
		}
	}
	return ""
}

// Named reports whether a tag is no property of an access, but a name by which it goes.
func (t Tag) Named() bool { return strings.HasPrefix(string(t), byName) }

// Barrier is a control barrier, at which threads wait for each other. The threads of a scope that call one instance,
// and the same number of barrier where calls say one, meet: an execution passes such a call only if enough threads
// arrive at it. An execution in which some thread waits forever does not end.
//
// With a quorum, the barrier opens once that many threads have arrived, and stays open: those after it pass, and do not
// delay others. Which threads are the first is a choice, so that lowering writes such a call as two fences, one with
// First, behind an [ir.Choose]. Without a quorum, all calls are First.
type Barrier struct {
	Instance int
	Number   int    // 0 if the call has none, or computes it
	Time     int    // which of the thread's calls of the instance it is
	Scope    string // the scope in which calls meet; "" is all threads
	Quorum   int    // 0: all threads of the scope that call the instance
	Arrives  bool   // it does not wait
	First    bool   // it is among those that open the barrier
}

// meets reports whether two calls are of one barrier, whatever numbers they have.
func (b *Barrier) meets(other *Barrier) bool {
	return b.Instance == other.Instance && b.Number == other.Number && b.Time == other.Time && b.Scope == other.Scope
}

// BarrierOf returns the control barrier of a step, or nil.
func (p *Program) BarrierOf(thread, step int) *Barrier {
	if thread < 0 || step < 0 || !p.Barriers {
		return nil
	}
	f, _ := p.Threads[thread].Code[step].Op.(Fence)
	return f.Barrier
}

// MayMeet reports whether calls in two threads are of one barrier, if their numbers are equal.
func (p *Program) MayMeet(thread int, b *Barrier, other int, c *Barrier) bool {
	return b.meets(c) && (thread == other || b.Scope == "" || p.Share(b.Scope, thread, other))
}

// Opens reports whether a call is one that another call waits for, if their numbers are equal: it is before the
// other, as syncbar says.
func (p *Program) Opens(thread int, b *Barrier, other int, c *Barrier) bool {
	return thread != other && b.First && !c.Arrives && p.MayMeet(thread, b, other, c)
}
