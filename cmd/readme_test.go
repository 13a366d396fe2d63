package cmd

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what commands print into README.md; then read the difference")

// The README's list of flags is what the command says of itself.
func TestReadmeListsTheFlags(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := runCommand().Flags().FlagUsages()
	flags = strings.Replace(flags, fmt.Sprintf("at once (default %d)", runtime.NumCPU()), "at once (default the number of processors)", 1)
	if !strings.Contains(string(text), flags) {
		t.Errorf("README.md does not have the flags of litmuscope run:\n%s", flags)
	}
}

var (
	console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	// What differs from run to run, and how far it moves a column.
	varying = regexp.MustCompile(`"(ms|engine_version)":[\d.]+|\d+\.\d+| {2,}`)
)

// Every console block of the README, pasted in order into one shell in a copy of the
// tree, prints what it says, and leaves nothing behind.
func TestReadmeCanBePasted(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, tree := t.TempDir(), t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin+"/litmuscope", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// The tree as a stranger has it, and go run . as the binary that is built already.
	for _, folder := range []string{"litmus/catalogue", "models/published"} {
		if err := os.CopyFS(tree+"/"+folder, os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(bin+"/go", []byte("#!/bin/sh\nshift 2\nexec litmuscope \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := "cd " + tree + "\n"
	const mark = "=== the next command ==="
	var wanted []command
	for _, block := range console.FindAllSubmatch(readme, -1) {
		for _, c := range commands(string(block[1])) {
			script += "echo '" + mark + "'\n" + c.text + "\n"
			wanted = append(wanted, c)
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script+"kill $(jobs -p) 2>/dev/null")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	tmp := t.TempDir()
	shell.Env = append(os.Environ(), "TMPDIR="+tmp, "PATH="+bin+":"+os.Getenv("PATH"))
	shell.WaitDelay = time.Second
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	out, err := shell.Output()
	got := strings.Split(strings.ReplaceAll(string(out), tmp, "/tmp"), mark+"\n")[1:]
	if len(got) != len(wanted) {
		t.Fatalf("%d of %d commands ran: %v\n%s", len(got), len(wanted), err, stderr.String())
	}
	for i, want := range wanted {
		if varying.ReplaceAllString(got[i], " ") == varying.ReplaceAllString(want.output, " ") {
			continue
		}
		if !*update {
			t.Errorf("$ %s got\n%s\nwant\n%s\n%s", want.text, got[i], want.output, stderr.String())
		}
		readme = bytes.Replace(readme, []byte("$ "+want.text+want.output), []byte("$ "+want.text+got[i]), 1)
	}
	if *update {
		if err := os.WriteFile("README.md", readme, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	left, err := filepath.Glob(tree + "/*")
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// command is what stands behind a "$ ", with its here-document, and what it prints.
type command struct{ text, output string }

func commands(block string) []command {
	var out []command
	until := "" // the end of a here-document
	for line := range strings.Lines(block) {
		text, isCommand := strings.CutPrefix(line, "$ ")
		last := len(out) - 1
		switch {
		case until != "":
			out[last].text += line
			if strings.TrimSpace(line) == until {
				until = ""
			}
		case isCommand:
			out = append(out, command{text: text})
			if _, end, ok := strings.Cut(text, "<<'"); ok {
				until, _, _ = strings.Cut(end, "'")
			}
		default:
			out[last].output += line
		}
	}
	return out
}

// The README's table of barriers says of each what BARRIERS.md does, which the tests of
// litmus/dialect hold to the models.
func TestReadmeKnowsBarriers(t *testing.T) {
	table := func(file, first string, columns int) (out [][]string) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			begins := len(cells) == columns && cells[0] == first
			switch {
			case len(out) > 0 && !strings.HasPrefix(line, "|"):
				return out
			case (begins || len(out) > 0) && !strings.HasPrefix(cells[0], "-"):
				out = append(out, cells)
			}
		}
		return out
	}
	forbidden := map[string]string{} // by dialect, instruction and model
	full := table("litmus/dialect/BARRIERS.md", "dialect", 14)
	for _, row := range full[1:] {
		for i, model := range full[0][2:] {
			forbidden[row[0]+row[1]+model] = row[2+i]
		}
	}
	short := table("README.md", "between all accesses", 8)
	for _, row := range short[1:] {
		for group := range strings.SplitSeq(row[0], "; ") {
			dialect, instructions, _ := strings.Cut(group, ": ")
			for instruction := range strings.SplitSeq(instructions, "`, `") {
				instruction = "`" + strings.Trim(instruction, "`") + "`"
				for i, models := range short[0][1:] {
					for model := range strings.SplitSeq(models, ", ") {
						key := dialect + instruction + strings.Trim(model, "`")
						if want, ok := forbidden[key]; !ok || want != row[1+i] {
							t.Errorf("%s %s under %s: README.md says %q, BARRIERS.md %q", dialect, instruction, model, row[1+i], want)
						}
						delete(forbidden, key)
					}
				}
			}
		}
	}
	for key := range forbidden {
		t.Errorf("README.md leaves out %s", key)
	}
}
