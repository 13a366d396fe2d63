package suite

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var small = UploadLimits{Bytes: 8192, Entries: 12, Test: 1000}

// upload gives each entry as path, source or path, !error, and why it ended early.
func upload(t *testing.T, data []byte, l UploadLimits) (got []string, err string) {
	t.Helper()
	u := NewUpload(bytes.NewReader(data), l)
	for e := range u.Tests(t.Context()) {
		text := e.Source
		if e.Err != nil {
			text = "!" + e.Err.Error()
		}
		got = append(got, e.Path+", "+text)
	}
	if u.Err() != nil {
		err = u.Err().Error()
	}
	return got, err
}

func zipWith(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarWith(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		err := w.WriteHeader(
			&tar.Header{Name: files[i], Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[i+1]))})
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return gzipOf(t, b.Bytes())
}

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUpload(t *testing.T) {
	lines := []byte("{\"path\":\"a\",\"source\":\"A\"}\n\n  {\"path\":\"b\",\"error\":\"b: gone\"}\n")
	asLines := []string{"a, A", "b, !b: gone"}
	var names []string
	for i := range 13 {
		names = append(names, fmt.Sprintf("%d.txt", i), "")
	}
	var large, nine []string
	for _, name := range "abcdefghij" {
		large = append(large, string(name)+".litmus", strings.Repeat("x", 900))
		if len(nine) < 9 {
			nine = append(nine, string(name)+".litmus, "+strings.Repeat("x", 900))
		}
	}
	for _, test := range []struct {
		what string
		data []byte
		want []string
		err  string // in the end
	}{
		{"lines of JSON", lines, asLines, ""},
		{"… gzipOf", gzipOf(t, lines), asLines, ""},
		{"one test", []byte("\n X86 SB\n{}\n"), []string{"test.litmus, X86 SB\n{}\n"}, ""},
		{
			"a zip archive", zipWith(t, "x/a.litmus", "A", "readme", "no test", "._b.litmus", "macOS"),
			[]string{"x/a.litmus, A"},
			"",
		},
		{"an empty zip archive", zipWith(t), nil, ""},
		{
			"a tar archive", tarWith(t, "./a.litmus", "A", "/b.litmus", "B", "../../c.litmus", "C", `..\d.litmus`, "D"),
			[]string{"a.litmus, A", "b.litmus, B", "c.litmus, C", "d.litmus, D"},
			"",
		},
		{"nothing", nil, nil, "the upload is empty"},
		{
			"a long test in lines", []byte(`{"path":"a","source":"` + strings.Repeat("x", 1001) + `"}`),
			[]string{"a, !a: longer than 1000 bytes, the limit for a test"},
			"",
		},
		{
			"a long test in an archive", zipWith(t, "a.litmus", strings.Repeat("x", 1001), "b.litmus", "B"),
			[]string{"a.litmus, !a.litmus: longer than 1000 bytes, the limit for a test", "b.litmus, B"},
			"",
		},
		{
			"a bad line", []byte("{\"path\":\"a\",\"source\":\"A\"}\n{\"path\":}\n"),
			[]string{"a, A"},
			"line 2, column 9: want a JSON object with path and source",
		},
		{
			"a line that is a list", []byte("{\"path\":\"a\",\"source\":\"A\"}\n[]\n"),
			[]string{"a, A"},
			"line 2: want a JSON object with path and source",
		},
		{"a line without a path", []byte(`{"source":"A"}`), nil, "line 1: the test has no path"},
		{"too many entries", zipWith(t, names...), nil, "more than 12 entries"},
		{"too many bytes, zipped", zipWith(t, large...), nine, "j.litmus: the archive unpacks to more than the limit"},
		{
			"too many bytes, in what is passed over", tarWith(t, "readme", strings.Repeat("x", 9000), "a.litmus", "A"),
			nil, "the archive unpacks to more than the limit",
		},
		{"a tar archive that breaks off", gzipOf(t, tarBytes(t)[:700]), nil, "unexpected EOF"},
		{
			"a zip archive that breaks off", zipWith(t, "a.litmus", "A")[:60], nil,
			"the archive: zip: not a valid zip file",
		},
		{"a gzip stream that breaks off", gzipOf(t, lines)[:30], nil, "unexpected EOF"},
	} {
		t.Run(test.what, func(t *testing.T) {
			got, err := upload(t, test.data, small)
			if !slices.Equal(got, test.want) || (err == "") != (test.err == "") || !strings.Contains(err, test.err) {
				t.Errorf("got %.300q, %s\nwant %q, %s", got, err, test.want, test.err)
			}
		})
	}
}

// A declared archive is not a test.
func TestUploadOfAKind(t *testing.T) {
	for _, test := range []struct{ kind, data, err string }{
		{"zip", "X86 SB\n", "declared as zip but is not"},
		{"gzip", string(zipWith(t)), "declared as gzip but is not"},
		{"lines", "X86 SB\n", "line 1, column 1: want a JSON object"},
		{"zip", string(zipWith(t)), ""},
	} {
		u := NewUpload(strings.NewReader(test.data), small)
		u.Kind = test.kind
		n := 0
		for range u.Tests(t.Context()) {
			n++
		}
		if err := u.Err(); n > 0 || (err == nil) != (test.err == "") || err != nil &&
			!strings.Contains(err.Error(), test.err) {
			t.Errorf("%s: %d tests, %v", test.kind, n, err)
		}
	}
}

// tarBytes is a tar archive with a test of a few hundred bytes.
func tarBytes(t *testing.T) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(tarWith(t, "a.litmus", strings.Repeat("x", 600))))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func FuzzUpload(f *testing.F) {
	f.Add([]byte("{\"path\":\"a\",\"source\":\"A\"}\n"))
	f.Add([]byte("X86 SB\n{}\n"))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Add([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		u := NewUpload(bytes.NewReader(data), small)
		bytes, n := 0, 0
		for e := range u.Tests(t.Context()) {
			n++
			bytes += len(e.Source)
			if strings.HasPrefix(e.Path, "../") && data[0] != '{' {
				t.Errorf("%q climbs out", e.Path)
			}
		}
		if n > small.Entries || bytes > int(small.Bytes) {
			t.Errorf("%d entries of %d bytes", n, bytes)
		}
	})
}

// emptyDirectory is an archive with nothing in it but the directory of n entries, and a record that says how many there
// are: it contains only its last 16 bits.
func emptyDirectory(n int, name string, said uint16) []byte {
	entry := make([]byte, 46, 46+len(name))
	copy(entry, zipEntry)
	binary.LittleEndian.PutUint16(entry[28:], uint16(len(name)))
	data := bytes.Repeat(append(entry, name...), n)
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], said)
	binary.LittleEndian.PutUint16(end[10:], said)
	binary.LittleEndian.PutUint32(end[12:], uint32(len(data)))
	return append(data, end...)
}

// The reader applies the limit on entries while it reads the directory of an archive, whatever the archive declares.
func TestDirectoriesAreBounded(t *testing.T) {
	limits := UploadLimits{Bytes: 64 << 20, Entries: 1000, Test: 1000}
	for what, c := range map[string]struct {
		data []byte
		want string
	}{
		"as many as there may be": {emptyDirectory(1000, "a", 1000), ""},
		"one more":                {emptyDirectory(1001, "a", 1001), "more than 1000 entries"},
		"a million":               {emptyDirectory(1<<20, "a", 0), "more than 1000 entries"},
		"65,537, said to be 1":    {emptyDirectory(1<<16+1, "a", 1), "more than 1000 entries"},
		"long names":              {emptyDirectory(900, strings.Repeat("a", 1000), 900), "directory is longer"},
	} {
		data := append([]byte("PK\x03\x04"), c.data...) // as an archive begins
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := upload(t, data, limits)
		runtime.ReadMemStats(&after)
		if (c.want == "") != (err == "") || !strings.Contains(err, c.want) {
			t.Errorf("%s: %q, want %q", what, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
			t.Errorf("%s: reading it takes %d MiB", what, used>>20)
		}
	}
}

// With Turn, the server reads one archive's directory at a time.
func TestArchivesTakeTurns(t *testing.T) {
	var turns, reading int
	limits := small
	limits.Turn = func(context.Context) (func(), error) {
		turns++
		reading++
		return func() { reading-- }, nil
	}
	if _, err := upload(t, zipWith(t, "a.litmus", "A"), limits); err != "" || turns != 1 || reading != 0 {
		t.Errorf("%q, %d turns, of which %d not over", err, turns, reading)
	}
	if _, err := upload(t, tarWith(t, "a.litmus", "A"), limits); err != "" || turns != 1 {
		t.Errorf("%q, %d turns for an archive without a directory", err, turns)
	}
	limits.Turn = func(context.Context) (func(), error) { return nil, errors.New("not now") }
	if _, err := upload(t, zipWith(t, "a.litmus", "A"), limits); err != "not now" {
		t.Errorf("%q", err)
	}
}
