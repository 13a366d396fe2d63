package store

import (
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
)

// keyed is a key of its own for each text.
func keyed(text string, version int) solver.Key {
	return solver.Key{Hash: sha256.Sum256([]byte(text)), Engine: "axiomatic", Version: version}
}

// An answer without witnesses must not take the place of one that has them.
func TestWitnessesStay(t *testing.T) {
	s := open(t, ":memory:")
	k := keyed("SB", 1)
	r := &solver.Result{Status: solver.OK, Outcomes: []solver.Outcome{{Satisfies: true}}}
	for _, err := range []error{
		s.PutAnswer(t.Context(), k, false, &solver.Result{Status: solver.OK}),
		s.PutAnswer(t.Context(), k, true, r),
		s.PutAnswer(t.Context(), k, false, &solver.Result{Status: solver.OK}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, ok, err := answer(t, s, k, true); !ok || err != nil || len(r.Outcomes) != 1 {
		t.Error(r, ok, err)
	}
	if r, ok, err := answer(t, s, k, false); !ok || err != nil || len(r.Outcomes) != 0 {
		t.Error(r, ok, err)
	}
}

func TestDropStale(t *testing.T) {
	s := open(t, ":memory:")
	for version := range 3 {
		if err := s.PutAnswer(t.Context(), keyed(fmt.Sprint(version), version), false,
			&solver.Result{Status: solver.OK}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DropStale(t.Context(), func(string) int { return 2 }); err != nil {
		t.Fatal(err)
	}
	for version := range 3 {
		if _, ok, err := answer(t, s, keyed(fmt.Sprint(version), version), false); ok != (version == 2) || err != nil {
			t.Errorf("version %d: %v, %v", version, ok, err)
		}
	}
}

func TestEviction(t *testing.T) {
	s := open(t, ":memory:")
	s.MaxBytes = 40_000
	r := &solver.Result{Status: solver.OK, States: []solver.State{}}
	for i := range 400 {
		if err := s.PutAnswer(t.Context(), keyed(fmt.Sprint(i), 1), false, r); err != nil {
			t.Fatal(err)
		}
		// Somebody asks for test 0 all the time, long after it was written.
		if _, err := s.db.Exec("UPDATE results SET used = ? WHERE id = 1", time.Now().Unix()+1000); err != nil {
			t.Fatal(err)
		}
	}
	var rows, size, counted int64
	if err := s.db.QueryRow(
		"SELECT count(*), sum(bytes), (SELECT bytes FROM sizes WHERE kept = 'results') FROM results").Scan(&rows, &size,
		&counted); err != nil {
		t.Fatal(err)
	}
	if size > s.MaxBytes*257/256+400 || size != counted || rows < 50 {
		t.Errorf("%d rows of %d bytes, counted as %d", rows, size, counted)
	}
	for source, want := range map[string]bool{"0": true, "1": false, "399": true} {
		if _, ok, err := answer(t, s, keyed(source, 1), false); ok != want || err != nil {
			t.Errorf("%s: %v, %v", source, ok, err)
		}
	}
	// One that would push out a sixteenth of the others is not worth it.
	r.Reason = noise(6000)
	if err := s.PutAnswer(t.Context(), keyed("huge", 1), false, r); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := answer(t, s, keyed("huge", 1), false); ok || err != nil {
		t.Error("a huge answer is kept", err)
	}
}

// noise is text that does not compress to less than about half.
func noise(n int) string {
	b := make([]byte, n/2)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// The file, and not only the count, stays within the bound, and shrinks with it.
func TestFileKeepsToItsBound(t *testing.T) {
	for _, size := range []int{0, 1500, 20_000} {
		path := filepath.Join(t.TempDir(), "l.db")
		s := open(t, path)
		s.MaxBytes = 4 << 20
		r := &solver.Result{Status: solver.OK, States: []solver.State{}, Reason: noise(size)}
		for put := 0; put < 3*int(s.MaxBytes); put += size + 400 {
			if err := s.PutAnswer(t.Context(), keyed(fmt.Sprint(put), 1), false, r); err != nil {
				t.Fatal(err)
			}
		}
		length := func() int64 {
			if err := s.tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			return info.Size()
		}
		before := length()
		if before > s.MaxBytes*5/4 || before < s.MaxBytes/2 {
			t.Errorf("answers of %d bytes: the file has %d KiB, the bound is %d", size, before>>10, s.MaxBytes>>10)
		}
		s.MaxBytes = 1 << 20
		if after := length(); after > s.MaxBytes*2 || after > before*2/3 {
			t.Errorf("answers of %d bytes: the file has %d KiB with a quarter of its bound, and had %d", size,
				after>>10, before>>10)
		}
	}
}

// Nobody waits while the store drops the answers of old engines, and it continues whoever leaves.
func TestMaintain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	s := open(t, path)
	const old = 20_000
	body, packed, err := pack(&solver.Result{Status: solver.OK})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.update(t.Context(), func(tx *sql.Tx) error {
		for i := range old {
			k := keyed(fmt.Sprint(i), 1)
			if _, err := tx.Exec(
				`INSERT INTO results (key, engine, version, witnesses, packed, bytes, used, body) VALUES (?, ?, ?, 0, ?, ?, 0, ?)`,
				k.Hash[:], k.Engine, k.Version, packed, len(body)+rowOverhead, body); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	id, err := s.SaveLink(t.Context(), Link{Source: "X86 SB"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("UPDATE links SET used = 0"); err != nil {
		t.Fatal(err)
	}
	s.Maintain(func(string) int { return 2 }, func(err error) { t.Error(err) })
	count := func() (n int) {
		if err := s.db.QueryRow("SELECT count(*) FROM results WHERE version = 1").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	asked := 0
	for ; count() > 0; asked++ {
		k := keyed(fmt.Sprint("new ", asked), 2)
		if err := s.PutAnswer(t.Context(), k, false, &solver.Result{Status: solver.OK}); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := answer(t, s, k, false); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if asked < 2 {
		t.Errorf("%d questions meanwhile", asked)
	}
	// The store records opened links in the end.
	if _, err := s.Link(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open(t, path)
	var used int64
	if err := s.db.QueryRow("SELECT used FROM links").Scan(&used); err != nil || used == 0 {
		t.Errorf("used at %d, %v", used, err)
	}
}

// A file of an earlier version, which could not shrink, can.
func TestOldFilesBecomeShrinkable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"0001_results.sql", "0002_links.sql", "0003_keys.sql"} {
		text, err := migrations.ReadFile("migrations/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(string(text)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(fmt.Sprintf(`PRAGMA journal_mode = WAL; PRAGMA application_id = %d; PRAGMA user_version = 3;
		INSERT INTO results (key, engine, version, witnesses, packed, body, used) VALUES (x'00', 'axiomatic', 1, 0, 0, '{}', 1);
		INSERT INTO links VALUES ('abcdefghij', '{"source":"X86 SB","models":null,"options":{}}', 1)`,
		applicationID)); err != nil {
		t.Fatal(err)
	}
	db.Close()
	s := open(t, path)
	var mode, size int
	if err := s.db.QueryRow(`SELECT auto_vacuum, bytes FROM pragma_auto_vacuum, sizes WHERE kept = 'links'`).Scan(&mode,
		&size); err != nil || mode != 2 || size < rowOverhead {
		t.Errorf("auto_vacuum %d, %d bytes of links, %v", mode, size, err)
	}
	if l, err := s.Link(t.Context(), "abcdefghij"); err != nil || l.Source != "X86 SB" {
		t.Error(l, err)
	}
}

// Links that nobody opens make room for others; texts like no test are too long early.
func TestLinksAreBounded(t *testing.T) {
	s := open(t, ":memory:")
	s.MaxLinkBytes = 100_000
	var ids []string
	for i := range 100 {
		id, err := s.SaveLink(t.Context(), Link{Source: fmt.Sprint(i, noise(4000))})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
		if _, err := s.db.Exec("UPDATE links SET used = ? WHERE id = ?", time.Now().Unix()+1000, ids[0]); err != nil {
			t.Fatal(err)
		}
	}
	var size, rows int64
	if err := s.db.QueryRow("SELECT sum(bytes), count(*) FROM links").Scan(&size, &rows); err != nil ||
		size > s.MaxLinkBytes || rows < 20 {
		t.Errorf("%d links of %d bytes, %v", rows, size, err)
	}
	for i, want := range map[int]error{0: nil, 1: ErrNoLink, 99: nil} {
		if _, err := s.Link(t.Context(), ids[i]); !errors.Is(err, want) {
			t.Errorf("link %d: %v", i, err)
		}
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: noise(256 << 10)}); !errors.Is(err, ErrLinkTooLong) {
		t.Error(err)
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: strings.Repeat("MOV [x],$1 ;\n", 20_000)}); err != nil {
		t.Error(err)
	}
}

func TestLinks(t *testing.T) {
	s := open(t, ":memory:")
	l := Link{Source: "X86 SB", Models: []string{"tso", "sc"}, Options: solver.DefaultOptions()}
	l.Own = []solver.OwnModel{
		{Name: "mine", Text: "acyclic po"},
		{Name: "theirs", Text: "include \"a.cat\"", Files: map[string]string{"a.cat": "acyclic rf"}},
	}
	id, err := s.SaveLink(t.Context(), l)
	if err != nil || len(id) != idLength {
		t.Fatal(id, err)
	}
	if again, err := s.SaveLink(t.Context(), l); again != id || err != nil {
		t.Error(again, err)
	}
	if got, err := s.Link(t.Context(), id); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
	if _, err := s.Link(t.Context(), "nothing"); !errors.Is(err, ErrNoLink) {
		t.Error(err)
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: strings.Repeat("x", MaxLink)}); !errors.Is(err, ErrLinkTooLong) {
		t.Error(err)
	}

	// Another link in its place: the id grows until it is free.
	if _, err := s.db.Exec(`UPDATE links SET body = '{"source":"other"}'`); err != nil {
		t.Fatal(err)
	}
	longer, err := s.SaveLink(t.Context(), l)
	if err != nil || len(longer) != idLength+1 || !strings.HasPrefix(longer, id) {
		t.Error(longer, err)
	}
	if got, err := s.Link(t.Context(), longer); err != nil || !reflect.DeepEqual(got, l) {
		t.Error(got, err)
	}
}

func BenchmarkPutAnswer(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir()+"/l.db")
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for i := 0; b.Loop(); i++ {
		if err := s.PutAnswer(b.Context(), keyed(fmt.Sprint(i), 1), false,
			&solver.Result{Status: solver.OK}); err != nil {
			b.Fatal(err)
		}
	}
}

// The store rejects a huge answer; it does not find one that was stored under a larger limit, though its packed form is
// small.
func TestHugeAnswers(t *testing.T) {
	s := open(t, ":memory:")
	small := &solver.Result{Status: solver.OK, Condition: "x=1", States: []solver.State{}}
	huge := &solver.Result{Status: solver.OK, Condition: strings.Repeat("x", 1<<20), States: []solver.State{}}
	found := func(n byte, r *solver.Result) bool {
		t.Helper()
		key := solver.Key{Hash: [32]byte{n}, Engine: "e"}
		if r != nil {
			if err := s.PutAnswer(t.Context(), key, false, r); err != nil {
				t.Fatal(err)
			}
		}
		_, one, err := answer(t, s, key, false)
		if err != nil {
			t.Fatal(err)
		}
		many, err := s.Answers(t.Context(), []solver.Key{key}, false)
		if err != nil || (len(many) == 1) != one {
			t.Errorf("alone %v, among others %v, %v", one, len(many), err)
		}
		return one
	}
	if !found(1, small) || !found(2, huge) {
		t.Error("an answer was not kept")
	}
	s.MaxAnswer = 1 << 20
	if !found(1, nil) || found(2, nil) || found(3, huge) {
		t.Error("a huge answer was found")
	}
}

// answer looks up the answer to a test.
func answer(t *testing.T, s *Store, k solver.Key, witnesses bool) (*solver.Result, bool, error) {
	r := new(solver.Result)
	ok, err := s.Answer(t.Context(), k, witnesses, r)
	return r, ok, err
}
