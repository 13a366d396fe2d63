package ir

import "slices"

// Tag is an annotation of a memory access or a fence, by the name that models know it
// by: one of a dialect's own (MFENCE, SYNC, A …), or a generic one.
type Tag string

// Tags are those of one access or fence. The first of a fence's names it.
type Tags []Tag

// Has tells whether tag is among them.
func (t Tags) Has(tag Tag) bool { return slices.Contains(t, tag) }

// Generic tags say what an instruction keeps in order, in terms that every model knows,
// so that every model runs on every dialect. A dialect sets them next to its own.
const (
	// TagRR … TagWW mark a fence by the pairs of accesses it keeps in order:
	// earlier reads with later reads, earlier reads with later writes ….
	TagRR Tag = "FRR"
	TagRW Tag = "FRW"
	TagWR Tag = "FWR"
	TagWW Tag = "FWW"
	// TagBranch marks a fence that keeps what is behind it after the reads that a branch
	// before it depends on, as isync and ISB do.
	TagBranch Tag = "FCTRL"
	// TagAcquire marks an access that comes before all later ones, TagRelease one that
	// comes after all earlier ones. Of those that TagRCsc marks as well, a release comes
	// before a later acquire, too: among themselves they are sequentially consistent.
	TagAcquire Tag = "ACQUIRE"
	TagRelease Tag = "RELEASE"
	TagRCsc    Tag = "RCSC"
	// TagFull marks the accesses of an instruction that is a full fence on both sides, as
	// x86's locked ones are.
	TagFull Tag = "FULL"
	// TagLocked marks those that generic models take for such: both halves of an atomic
	// instruction, and the write of a store-conditional.
	TagLocked Tag = "LOCKED"
	// TagPick marks the events of Pick.
	TagPick Tag = "PICK"
)

// FullFence are the generic tags of a fence that orders everything.
var FullFence = Tags{TagRR, TagRW, TagWR, TagWW}

// Tags of the events of Spawn and Join, and of both ends of an atomic section.
const (
	TagSpawn   Tag = "SPAWN"
	TagJoin    Tag = "JOIN"
	TagSection Tag = "SECTION"
)

// BarrierTags are the generic tags of the event that a Spawn, a Join or an Atomic makes, which is a
// full fence; nil for other operations.
func BarrierTags(op Op) Tags {
	switch op.(type) {
	case Spawn:
		return spawnTags
	case Join:
		return joinTags
	case Atomic:
		return sectionTags
	}
	return nil
}

var spawnTags, joinTags, sectionTags = full(TagSpawn), full(TagJoin), full(TagSection)

func full(t Tag) Tags { return slices.Concat(Tags{t}, FullFence) }

// ordering are the generic tags that claim an order.
var ordering = append(Tags{TagBranch, TagAcquire, TagRelease, TagRCsc, TagFull}, FullFence...)

// Orders tells whether the tag claims an order in terms of every model. A dialect's own
// tag says as much to readers.
func (t Tag) Orders() bool { return slices.Contains(ordering, t) }

// Vocabulary are the tags that a model may name.
type Vocabulary struct {
	Tags   Tags // in the order of their names
	Unread Tags // those that no read carries
}

// NewVocabulary are the generic tags and those of dialects, some of which no read carries.
func NewVocabulary(tags, unread Tags) Vocabulary {
	all := slices.Concat(ordering, Tags{TagLocked, TagPick}, tags)
	slices.Sort(all)
	return Vocabulary{slices.Compact(all), slices.Concat(Tags{TagBranch}, FullFence, unread)}
}
