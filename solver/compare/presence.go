package compare

import (
	"hash/maphash"
	"path"
	"strings"
)

// presence knows which tests a side has, also those whose rows were compared and forgotten. It keeps hashes: about 30
// bytes for each test.
type presence struct {
	files map[uint64]testFile        // by the hash of a test's name: the first file with the test
	more  map[uint64]map[uint64]bool // … the other files, by the hash of the path: whether a row of it was compared
}

// testFile is a file with a test.
type testFile struct {
	path   uint64
	paired bool // a row of it was compared
}

// hashes makes the hashes of both sides.
var hashes = maphash.MakeSeed()

func newPresence() *presence {
	return &presence{files: map[uint64]testFile{}, more: map[uint64]map[uint64]bool{}}
}

// testKeys hashes a test's name, which is its file's while it is unknown, and its path.
func testKeys(name, file string) (test, in uint64) {
	if name == "" {
		name = strings.TrimSuffix(path.Base(file), ".litmus")
	}
	return maphash.String(hashes, name), maphash.String(hashes, file)
}

// note adds the test of a row.
func (p *presence) note(name, file string) {
	test, in := testKeys(name, file)
	if first, ok := p.files[test]; !ok {
		p.files[test] = testFile{path: in}
	} else if first.path != in {
		if p.more[test] == nil {
			p.more[test] = map[uint64]bool{}
		}
		if _, known := p.more[test][in]; !known {
			p.more[test][in] = false
		}
	}
}

// pair notes that a row of a test was compared.
func (p *presence) pair(r *record) {
	test, in := testKeys(r.Test, r.Path)
	if first := p.files[test]; first.path == in {
		first.paired = true
		p.files[test] = first
	} else if p.more[test] != nil {
		p.more[test][in] = true
	}
}

// find reports whether the side has the test of a row in the same file, and whether a row of it was compared; and how
// many files have a test with this name.
func (p *presence) find(r *record) (has, paired bool, files int) {
	test, in := testKeys(r.Test, r.Path)
	first, ok := p.files[test]
	if !ok {
		return false, false, 0
	}
	files = 1 + len(p.more[test])
	if first.path == in {
		return true, first.paired, files
	}
	paired, has = p.more[test][in]
	return has, paired, files
}

// hasLike reports whether the side p has the test of a row r of the side mine, though no counterpart of the row. The
// test may be in another folder there. If several tests have the name, as many of mine have a counterpart as p has.
func (p *presence) hasLike(mine *presence, r *record) bool {
	_, paired, own := mine.find(r)
	has, _, files := p.find(r)
	return paired || has && r.Path != "" || files >= max(own, 1)
}
