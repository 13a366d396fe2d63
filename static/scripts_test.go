package static_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// oldestNode is the first major version of Node.js that has all that the tests of scripts use.
const oldestNode = 20

// The tests of the scripts pass, which need no page and no package. Node.js runs them, if it is installed.
func TestScripts(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not there")
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`^v(\d+)\.`).FindSubmatch(version); m == nil {
		t.Fatalf("Node.js calls its version %q", version)
	} else if major, _ := strconv.Atoi(string(m[1])); major < oldestNode {
		t.Skipf("Node.js is %s, want %d at least", version, oldestNode)
	}
	files, err := filepath.Glob("src/tests/*.test.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	if out, err := exec.Command(node, append([]string{"--test"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
