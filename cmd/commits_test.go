package cmd

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkedFrom is the last commit whose subject escapes the check.
const checkedFrom = "9a94c3d7a0"

// TestCommitSubjects checks the subjects of commits: a component, a colon and the change, in at most 72 characters.
func TestCommitSubjects(t *testing.T) {
	log, err := exec.CommandContext(t.Context(), "git", "log", "--no-merges", "--format=%h %s",
		checkedFrom+"..HEAD").Output()
	if err != nil {
		t.Skip("no checkout of git, or one without the history: ", err)
	}
	form := regexp.MustCompile(`^[\w/., -]+: \S.*[^.]$`)
	for line := range strings.Lines(string(log)) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n := utf8.RuneCountInString(subject); n > 72 {
			t.Errorf("%s: the subject has %d characters, want at most 72: %s", hash, n, subject)
		}
		if !form.MatchString(subject) {
			t.Errorf("%s: want the component, a colon and what the commit does, without a full stop: %s", hash, subject)
		}
	}
}
