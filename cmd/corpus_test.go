package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/web/api/client"
)

// corpusFolder returns the folder of the reference corpus, and skips the test if there is none; with CI=true it
// fails.
func corpusFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("LITMUSCOPE_CORPUS")
	if folder == "" {
		folder = "../shared/corpus"
	}
	if _, err := os.Stat(folder); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
		}
		t.Skip("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
	}
	return folder
}

var milliseconds = regexp.MustCompile(`"ms":[\d.e+-]+`)

// TestCorpusOverHTTP submits the reference corpus to a new server, each test under sc and its own model. The results
// equal those of run, byte for byte except for times. The test prints the speed of both, measured one after the other
// on the same machine. With -short, it submits the tests of two architectures.
func TestCorpusOverHTTP(t *testing.T) {
	corpus := corpusFolder(t)
	var paths []string
	archs := []string{"x86", "aarch64", "x86_64", "ppc", "arm", "riscv", "mips"}
	if testing.Short() {
		archs = archs[:1]
	}
	for _, arch := range archs {
		paths = append(paths, filepath.Join(corpus, arch))
	}
	s := startServer(t, t.TempDir(), "--rate", "0", "--log-format", "text")
	c, err := client.New(s.url, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	run := exec.CommandContext(ctx, s.Path, append([]string{"run", "-f", "jsonl", "-m", "sc", "-m", ""}, paths...)...)
	began := time.Now()
	want, _ := run.Output() // what is out of scope makes the status 1
	ran := time.Since(began)

	began = time.Now()
	made, err := c.Submit(ctx, client.Submission{Name: "corpus", Models: []string{"sc", ""}},
		suite.Collect(ctx, paths, nil))
	if err != nil {
		t.Fatal(err)
	}
	submitted := time.Since(began)
	if _, err := c.Watch(ctx, made.ID, func(*client.Suite) {}); err != nil {
		t.Fatal(err)
	}
	served := time.Since(began)
	var got bytes.Buffer
	if err := c.Results(ctx, made.ID, false, func(line []byte) error {
		got.Write(line)
		got.WriteByte('\n')
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	wantLines := bytes.Split(bytes.TrimSpace(milliseconds.ReplaceAll(want, nil)), []byte("\n"))
	gotLines := bytes.Split(bytes.TrimSpace(milliseconds.ReplaceAll(got.Bytes(), nil)), []byte("\n"))
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%d rows over HTTP, %d from run", len(gotLines), len(wantLines))
	}
	for i := range wantLines {
		if !bytes.Equal(bytes.TrimSpace(gotLines[i]), bytes.TrimSpace(wantLines[i])) {
			t.Errorf("row %d: over HTTP\n%.800s\nfrom run\n%.800s", i, gotLines[i], wantLines[i])
		}
	}
	t.Logf("%d rows, all as run prints them; run %v, over HTTP %v, %v of it to submit them: %.2f of its throughput",
		len(wantLines), ran.Round(10*time.Millisecond), served.Round(10*time.Millisecond),
		submitted.Round(10*time.Millisecond), ran.Seconds()/served.Seconds())
}
