package assistant

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// resourceScheme begins the addresses of resources.
const resourceScheme = "litmuscope://"

// resourceTable lists the texts that an assistant may read: entries of the interface's lists.
var resourceTable = []struct {
	kind, address, title, about, media string
	// query asks path for the entry of a name; field is the text in that entry.
	path  string
	query func(name string) (url.Values, bool)
	field string
}{
	{
		"model", "model/{name}", "A memory model",
		"The text of a built-in memory model, in the cat language: litmuscope://model/tso.", "text/plain",
		"/api/v1/models",
		func(name string) (url.Values, bool) { return url.Values{"name": {name}, "text": {"true"}}, true }, "text",
	},
	{
		"test", "test/{arch}/{+name}", "A classic test",
		"The source of a classic litmus test: litmuscope://test/X86/SB.", "text/plain",
		"/api/v1/catalogue", func(name string) (url.Values, bool) {
			arch, name, ok := strings.Cut(name, "/")
			return url.Values{"arch": {arch}, "name": {name}, "brief": {"false"}}, ok
		}, "source",
	},
}

// listTable are the lists themselves, each a resource.
var listTable = []struct{ name, path, title, about string }{
	{
		"models", "/api/v1/models?text=false", "The memory models",
		"The names of all built-in models, for litmuscope://model/NAME.",
	},
	{
		"tests", "/api/v1/catalogue?brief=true", "The classic tests",
		"The names of all classic tests with their architectures, for litmuscope://test/ARCH/NAME.",
	},
	{"engines", "/api/v1/engines", "The engines", "The engines, with the models that each supports."},
	{"limits", "/api/v1/limits", "The limits", "The server's limits and what happens beyond each."},
}

// addResources registers the resources of both tables.
func (s *server) addResources(m *mcp.Server) {
	for _, l := range listTable {
		m.AddResource(&mcp.Resource{
			URI: resourceScheme + l.name, Name: l.name, Title: l.title, Description: l.about,
			MIMEType: "application/json",
		}, func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			path, query, _ := strings.Cut(l.path, "?")
			values, err := url.ParseQuery(query)
			if err != nil {
				return nil, err
			}
			a, err := s.send(ctx, http.MethodGet, path, values, nil)
			if err != nil {
				return nil, err
			}
			if a.status != http.StatusOK || a.cut {
				return nil, mcp.ResourceNotFoundError(r.Params.URI)
			}
			return contents(r.Params.URI, "application/json", string(a.body)), nil
		})
	}
	for _, t := range resourceTable {
		m.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: resourceScheme + t.address, Name: t.kind, Title: t.title, Description: t.about,
			MIMEType: t.media,
		}, func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			name, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, resourceScheme+t.kind+"/"))
			query, ok := t.query(name)
			if err != nil || !ok {
				return nil, mcp.ResourceNotFoundError(r.Params.URI)
			}
			a, err := s.send(ctx, http.MethodGet, t.path, query, nil)
			if err != nil {
				return nil, err
			}
			var found []map[string]any
			if a.status != http.StatusOK || json.Unmarshal(a.body, &found) != nil || len(found) != 1 {
				return nil, mcp.ResourceNotFoundError(r.Params.URI)
			}
			text, _ := found[0][t.field].(string)
			return contents(r.Params.URI, t.media, text), nil
		})
	}
}

func contents(uri, media, text string) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: media, Text: text}}}
}
