package ir

import "slices"

// Tag is an annotation of a memory access or a fence, with the name that models use: one of a dialect's own (MFENCE,
// SYNC, A …), or a generic one.
type Tag string

// Tags are the tags of one access or fence. The first tag of a fence names it.
type Tags []Tag

// Has reports whether t contains tag.
func (t Tags) Has(tag Tag) bool { return slices.Contains(t, tag) }

// Generic tags say what an instruction orders, in terms that every model knows, so that every model runs on every
// dialect. A dialect sets them in addition to its own.
const (
	// TagRR … TagWW mark a fence by the pairs of accesses it orders: earlier reads before later reads, earlier reads
	// before later writes ….
	TagRR Tag = "FRR"
	TagRW Tag = "FRW"
	TagWR Tag = "FWR"
	TagWW Tag = "FWW"
	// TagBranch marks a fence that orders later accesses after the reads that a branch before it depends on, as isync
	// and ISB do.
	TagBranch Tag = "FCTRL"
	// TagAcquire marks an access that comes before all later ones, TagRelease one that comes after all earlier ones. If
	// both also have TagRCsc, a release comes before a later acquire, too: such accesses are sequentially consistent
	// among themselves.
	TagAcquire Tag = "ACQUIRE"
	TagRelease Tag = "RELEASE"
	TagRCsc    Tag = "RCSC"
	// TagFull marks the accesses of an instruction that is a full fence on both sides, such as x86's locked ones.
	TagFull Tag = "FULL"
	// TagLocked marks the accesses that generic models treat like locked ones: both halves of an atomic instruction,
	// and the write of a store-conditional.
	TagLocked Tag = "LOCKED"
	// TagPick marks the events of Pick.
	TagPick Tag = "PICK"
	// TagImplicit marks an access that an instruction or the hardware makes by itself: the fetch of an instruction, the
	// read or the update of an entry of a page table, the read of a memory tag.
	TagImplicit Tag = "IMPLICIT"
)

// FullFence has the generic tags of a fence that orders everything.
var FullFence = Tags{TagRR, TagRW, TagWR, TagWW}

// Tags of the events of Spawn and Join, and of both ends of an atomic section.
const (
	TagSpawn   Tag = "SPAWN"
	TagJoin    Tag = "JOIN"
	TagSection Tag = "SECTION"
)

// AccessTags returns the tags of an access, of the read of an update; nil for other operations.
func AccessTags(op Op) Tags {
	switch op := op.(type) {
	case Load:
		return op.Tags
	case Store:
		return op.Tags
	case RMW:
		return op.Tags
	case StoreCond:
		return op.Tags
	}
	return nil
}

// BarrierTags returns the generic tags of the event of a Spawn, a Join or an Atomic, which is a full fence, and nil for
// other operations.
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

// ordering lists the generic tags that state an order.
var ordering = append(Tags{TagBranch, TagAcquire, TagRelease, TagRCsc, TagFull}, FullFence...)

// Orders reports whether the tag states an order in terms of every model. A dialect's own tag says the same to readers.
func (t Tag) Orders() bool { return slices.Contains(ordering, t) }

// Vocabulary is the tags that a model can use.
type Vocabulary struct {
	Tags   Tags // sorted by name
	Unread Tags // tags that no read has
}

// NewVocabulary returns the vocabulary of the generic tags and those of dialects, some of which no read has.
func NewVocabulary(tags, unread Tags) Vocabulary {
	all := slices.Concat(ordering, Tags{TagLocked, TagPick}, tags)
	slices.Sort(all)
	return Vocabulary{slices.Compact(all), slices.Concat(Tags{TagBranch}, FullFence, unread)}
}
