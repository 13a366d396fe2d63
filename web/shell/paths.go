package shell

import (
	"strings"

	"litmuscope/web/lesson"
)

// TeachPath is what the addresses begin with that hold a teacher's secret.
const TeachPath = "/class/teach/"

// embeddable tells the addresses that pages elsewhere may frame.
func embeddable(path string) bool { return path == "/embed" || strings.HasPrefix(path, "/embed/") }

// isLesson tells the pages that have tests run from those that do not.
func isLesson(path string) bool {
	slug, ok := strings.CutPrefix(path, "/learn/")
	return ok && slug != "" && !strings.Contains(slug, "/") && !lesson.IsImage(slug)
}

// loggedPath is a request's path without what is a secret in it.
func loggedPath(path string) string {
	if rest, ok := strings.CutPrefix(path, TeachPath); ok {
		_, rest, _ = strings.Cut(rest, "/")
		return TeachPath + "…/" + rest
	}
	return path
}
