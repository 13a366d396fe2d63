package language

import (
	"encoding/json"
	"slices"
)

const quickFix = "quickfix"

// codeAction offers what mends the problems that the editor shows at a place.
func (r *request) codeAction(p struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
},
) (any, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	out := []codeAction{}
	if only := p.Context.Only; len(only) > 0 && !slices.Contains(only, quickFix) {
		return out, nil
	}
	var shown []diagnostic
	if kept := d.problems.Load(); kept != nil {
		shown = *kept // whatever the editor sends back of them
	}
	for _, problem := range shown {
		var f fix
		if len(problem.Data) == 0 || !overlaps(problem.Range, p.Range) || json.Unmarshal(problem.Data, &f) != nil ||
			f.Title == "" {
			continue
		}
		out = append(out, codeAction{
			Title: f.Title, Kind: quickFix, IsPreferred: true, Diagnostics: []diagnostic{problem},
			Edit: workspaceEdit{map[string][]textEdit{d.uri: {f.Edit}}},
		})
	}
	return out, nil
}

func overlaps(a, b textRange) bool {
	return comparePositions(a.Start, b.End) <= 0 && comparePositions(b.Start, a.End) <= 0
}
