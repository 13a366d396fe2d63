package static

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed docs/*.md docs/*/*.md
var docs embed.FS

// Manual returns the pages of the manual: index.md and the others, some in folders. They link to each other and to
// pictures by relative paths; the pictures are assets, at [Path] of their names.
func Manual() fs.FS {
	manual, err := fs.Sub(docs, "docs")
	if err != nil {
		panic(fmt.Sprintf("BUG: embedded manual: %v", err))
	}
	return manual
}
