package lessons

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// inOrder renders a lesson's blocks. A test or an exercise has a heading of level 3, below its section's of level 2;
// those that come before the first section are given level 2, because no level may be left out below the title.
func inOrder(blocks []templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		section := false
		for _, b := range blocks {
			if section {
				if err := b.Render(ctx, w); err != nil {
					return err
				}
				continue
			}
			var text strings.Builder
			if err := b.Render(ctx, &text); err != nil {
				return err
			}
			before, after, _ := strings.Cut(text.String(), "<h3>")
			section = strings.Contains(before, "<h2")
			if out := text.String(); section || len(before) == len(out) {
				before, after = out, ""
			} else {
				before += `<h3 aria-level="2">`
			}
			if _, err := io.WriteString(w, before+after); err != nil {
				return err
			}
		}
		return nil
	})
}
