package suite

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files below a fresh folder, which becomes the working directory.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// collect shows each entry as "path=source" or "!error".
func collect(stdin io.Reader, paths ...string) []string {
	var got []string
	for e := range Collect(context.Background(), paths, stdin) {
		if e.Err != nil {
			got = append(got, "!"+e.Err.Error())
		} else {
			got = append(got, e.Path+"="+e.Source)
		}
	}
	return got
}

func zipOf(t *testing.T, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f[0])
		if err == nil {
			_, err = io.WriteString(w, f[1])
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

func tgzOf(t *testing.T, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f[0], Size: int64(len(f[1])), Mode: 0o666, Typeflag: tar.TypeReg})
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCollect(t *testing.T) {
	inside := [][2]string{{"t/B.litmus", "b"}, {"t/README", "no"}, {"../A.litmus", "a"}, {"t/._B.litmus", "no"}}
	files := map[string]string{
		"d/b.litmus": "b", "d/a/z.litmus": "z", "d/c.litmus": "c", "d/notes.txt": "no",
		"one.txt":            "one",
		"lists/all":          "# tests\n\n../d/b.litmus\r\n@sub/more\n",
		"lists/sub/more":     "x.litmus\n../../d/a\n",
		"lists/sub/x.litmus": "x",
		"loop":               "one.txt\n@loop2\n",
		"loop2":              "@./loop\none.txt\n",
		"asks":               "-\n",
		"bad.zip":            "nothing of the kind",
		"all.zip":            string(zipOf(t, inside...)),
		"all.tar.gz":         string(tgzOf(t, inside...)),
	}
	tree(t, files)
	dir, err := filepath.EvalSymlinks(".")
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		paths string
		stdin string
		want  []string
	}{
		{paths: "d/b.litmus one.txt", want: []string{"d/b.litmus=b", "one.txt=one"}},
		{paths: "d", want: []string{"d/a/z.litmus=z", "d/b.litmus=b", "d/c.litmus=c"}},
		{paths: "./d/", want: []string{"./d/a/z.litmus=z", "./d/b.litmus=b", "./d/c.litmus=c"}},
		{paths: "@lists/all", want: []string{"d/b.litmus=b", "lists/sub/x.litmus=x", "d/a/z.litmus=z"}},
		{paths: "@loop", want: []string{
			"one.txt=one",
			"!@./loop: the list includes itself, through " + dir + "/loop, " + dir + "/loop2, " + dir + "/loop",
			"one.txt=one",
		}},
		{paths: "@asks", want: []string{"!" + dir + "/asks: a list cannot name standard input"}},
		{paths: "all.zip", want: []string{"all.zip/t/B.litmus=b", "all.zip/A.litmus=a"}},
		{paths: "all.tar.gz", want: []string{"all.tar.gz/t/B.litmus=b", "all.tar.gz/A.litmus=a"}},
		{paths: "bad.zip none.litmus d/c.litmus", want: []string{
			"!bad.zip: not a zip or tar.gz archive",
			"!none.litmus: no such file or directory", "d/c.litmus=c",
		}},
		{paths: "@none", want: []string{"!@none: no such file or directory"}},
		{paths: "-", stdin: "text", want: []string{"-=text"}},
		{paths: "-", stdin: files["all.zip"], want: []string{"-/t/B.litmus=b", "-/A.litmus=a"}},
		{paths: "-", stdin: files["all.tar.gz"], want: []string{"-/t/B.litmus=b", "-/A.litmus=a"}},
	} {
		paths := strings.Fields(test.paths)
		if got := collect(strings.NewReader(test.stdin), paths...); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.paths, got, test.want)
		}
		if n := Count(context.Background(), paths); n != len(test.want) && test.paths != "-" {
			t.Errorf("Count(%s) = %d, want %d", test.paths, n, len(test.want))
		}
	}
}

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", MaxTest+1)
	tree(t, map[string]string{
		"long.litmus": long,
		"long.zip":    string(zipOf(t, [2]string{"a.litmus", long}, [2]string{"b.litmus", "b"})),
	})
	want := []string{
		"!long.litmus: longer than 1048576 bytes, the limit for a test",
		"!long.zip/a.litmus: longer than 1048576 bytes, the limit for a test", "long.zip/b.litmus=b",
	}
	if got := collect(nil, "long.litmus", "long.zip"); !slices.Equal(got, want) {
		t.Errorf("got %.200q", got)
	}

	// What an archive unpacks to is bounded as a whole, not by what its headers claim.
	left := int64(10)
	b := &budget{r: strings.NewReader(long), left: &left}
	if n, err := io.Copy(io.Discard, b); n != 10 || !errors.Is(err, errTooLarge) || !b.spent {
		t.Errorf("read %d bytes, error %v", n, err)
	}
}

func TestStopsEarly(t *testing.T) {
	tree(t, map[string]string{"d/a.litmus": "a", "d/b.litmus": "b"})
	for e := range Collect(context.Background(), []string{"d", "d"}, nil) {
		if e.Path != "d/a.litmus" {
			t.Errorf("yielded %s after the end", e.Path)
		}
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for range Collect(ctx, []string{"d", "d"}, nil) {
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d entries, though the context ended at the first", n)
	}
}

// A damaged archive yields errors and tests, and comes to an end.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("PK\x05\x06"))
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := walker{ctx: context.Background(), read: true, yield: func(e Entry) bool {
			if e.Err == nil && !strings.HasPrefix(e.Path, "a/") {
				t.Errorf("test shown as %q", e.Path)
			}
			return true
		}}
		w.archive(bytes.NewReader(data), int64(len(data)), "a")
	})
}
