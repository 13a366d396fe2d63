// Package assistant offers the REST interface to assistants, as tools of the Model Context Protocol
// (https://modelcontextprotocol.io/specification). [New] makes the server. Names, descriptions, schemas and limits of
// the tools are those of the interface's OpenAPI document.
//
// It knows the interface only by that document and over HTTP, so that it works the same with a handler of this process
// ([Handler]) and with a server elsewhere.
//
// It imports web/api/rest, and litmus to suggest names, and nothing else of litmuscope. Only this package and cmd
// import the protocol's SDK.
package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"litmuscope/web/api/rest"
)

// maxAnswer bounds a tool's answer, in bytes: assistants cannot read longer ones.
const maxAnswer = 1 << 20

// offered lists the operations that become tools if the interface has them. Suites are left out: they run too long for
// a tool call.
var offered = []string{
	"explore", "draw", "verify", "repair", "repair-program", "distinguish", "compare", "compile", "name", "generate",
	"catalogue", "models", "engines", "limits",
}

// briefly has defaults of tools that differ from those of the interface, whose answers would be too long to read at
// once. rest tells the assistant how to get what such an answer leaves out.
var briefly = map[string]struct {
	usual map[string]any
	rest  string
}{
	"models": {
		map[string]any{"text": false},
		`This is brief: names and titles. To get a model's text, give its name and "text": true.`,
	},
	"catalogue": {
		map[string]any{"brief": true, "arch": "X86"},
		`This is brief: tests of one architecture (arch; default X86), without sources and verdicts. To get those of a test, give its name, its arch and "brief": false.`,
	},
	"draw": {map[string]any{"format": "text"}, ""},
}

const instructions = `Litmuscope computes what weak memory models allow. Ask it instead of guessing: which outcomes of a litmus test a model allows (explore),
why a model forbids an outcome (explore with the option explain, or draw), whether a C program with threads can fail (verify), where a fence is missing (repair; for C programs repair-program),
which tests distinguish two models (distinguish), where two logs of tests differ, for example a machine's and a model's (compare), what a compiler makes of C (compile). Tests use the syntax of diy and herd, or C.
Start with the classic tests of catalogue: it lists an architecture's tests in brief; with a name and brief false it gives source and verdicts. The verdict "unknown" decides nothing: the engine reached a limit, which the answer names.`

// New returns a server of the protocol whose tools are the operations of a REST interface. The transport leads to the
// interface: a [Handler] of this process, or a client of a server elsewhere.
func New(ctx context.Context, version string, transport http.RoundTripper) (*mcp.Server, error) {
	s := &server{http: &http.Client{Transport: transport}}
	answer, err := s.send(ctx, http.MethodGet, "/api/openapi.json", nil, nil)
	if err != nil {
		return nil, err
	}
	if answer.status != http.StatusOK {
		return nil, fmt.Errorf("the server does not return its OpenAPI document: %s", answer.words())
	}
	var d document
	if err := json.Unmarshal(answer.body, &d); err != nil {
		return nil, fmt.Errorf("the server's OpenAPI document has errors: %w", err)
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "litmuscope", Title: "Litmuscope", Version: version},
		&mcp.ServerOptions{
			Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
		})
	for _, name := range offered {
		o := d.find(name)
		if o == nil {
			continue // an older server lacks the operation
		}
		schema, err := d.schema(o)
		if err != nil {
			return nil, err
		}
		brief := briefly[name]
		for field, value := range brief.usual {
			schema["properties"].(map[string]any)[field].(map[string]any)["default"] = value
		}
		t := &tool{operation: o, input: schema}
		if t.output, err = d.result(o); err != nil {
			return nil, err
		}
		if brief.rest != "" {
			t.output["properties"].(map[string]any)["brief"] = map[string]any{
				"type":        "string",
				"description": "says that the answer is brief, and how to ask for more",
			}
		}
		m.AddTool(&mcp.Tool{
			Name: name, Title: o.Summary, Description: o.Description, InputSchema: schema, OutputSchema: t.output,
			Annotations: &mcp.ToolAnnotations{
				Title: o.Summary, ReadOnlyHint: true, IdempotentHint: true,
				OpenWorldHint: new(bool),
			},
		}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments := map[string]any{}
			maps.Copy(arguments, brief.usual)
			if err := read(r.Params.Arguments, &arguments); err != nil {
				return failed(err.Error()), nil
			}
			defs, _ := schema["$defs"].(map[string]any)
			if why := unknownArgument(arguments, schema, defs, ""); why != "" {
				return failed(why), nil
			}
			rest := ""
			if arguments["text"] == false || arguments["brief"] == true {
				rest = brief.rest
			}
			return s.call(ctx, t, arguments, rest)
		})
	}
	s.addResources(m)
	addPrompts(m)
	return m, nil
}

// server calls operations of the interface.
type server struct{ http *http.Client }

// tool is an operation with the schemas that an assistant sees.
type tool struct {
	*operation
	input, output map[string]any // JSON schemas
}

// reply is the answer to a request.
type reply struct {
	status int
	media  string
	body   []byte
	cut    bool // there is more of it
}

// send sends a request to the interface. It reads at most maxAnswer bytes of the answer, of the OpenAPI document 16
// times as much; reply.cut reports that there is more.
func (s *server) send(ctx context.Context, method, path string, query url.Values, body []byte) (*reply, error) {
	u := url.URL{Scheme: "http", Host: "localhost", Path: path, RawQuery: query.Encode()}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a, err := s.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	out := &reply{status: a.StatusCode}
	out.media, _, _ = mime.ParseMediaType(a.Header.Get("Content-Type"))
	most := int64(maxAnswer)
	if path == "/api/openapi.json" {
		most *= 16
	}
	if out.body, err = io.ReadAll(io.LimitReader(a.Body, most+1)); err != nil {
		return nil, err
	}
	if out.cut = int64(len(out.body)) > most; out.cut {
		out.body = out.body[:most]
	}
	return out, nil
}

// read unmarshals a tool's arguments over the defaults in into. Numbers keep their spelling.
func read(text json.RawMessage, into *map[string]any) error {
	if len(text) == 0 || string(text) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("the arguments are not a JSON object: %w", err)
	}
	return nil
}

// call sends a tool's arguments to its operation. rest, unless it is "", tells the assistant how to get what a brief
// answer leaves out.
func (s *server) call(
	ctx context.Context, t *tool, arguments map[string]any, rest string,
) (*mcp.CallToolResult, error) {
	var query url.Values
	var body []byte
	if t.Body.Content == nil {
		query = queryOf(arguments)
	} else {
		var err error
		if body, err = json.Marshal(arguments); err != nil {
			return nil, err
		}
	}
	a, err := s.send(ctx, t.method, t.path, query, body)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return failed(err.Error()), nil
	}
	switch {
	case a.status != http.StatusOK:
		return failed(a.words()), nil
	case a.media == "application/x-ndjson":
		return t.lines(a)
	case a.cut:
		return failed(fmt.Sprintf("The answer is longer than %d KiB. Ask for less: a single item, fewer models or "+
			"states, or no witnesses.", maxAnswer>>10)), nil
	}
	var answer any
	if err := decode(a.body, &answer); err != nil {
		return failed("The answer has invalid JSON: " + err.Error()), nil
	}
	result := &mcp.CallToolResult{Content: text(string(a.body)), StructuredContent: t.structured(answer, rest)}
	if rest != "" {
		result.Content = append(result.Content, text(rest)...)
	}
	var drawn struct {
		Title, Media, Picture string
	}
	if t.ID == "draw" && json.Unmarshal(a.body, &drawn) == nil && drawn.Picture != "" {
		result.Content = picture(drawn.Title, drawn.Media, drawn.Picture)
	}
	return result, nil
}

// structured shapes an answer as the tool's output schema describes.
func (t *tool) structured(answer any, rest string) map[string]any {
	object, is := answer.(map[string]any)
	if !is {
		object = map[string]any{items: answer}
	}
	if rest != "" {
		object["brief"] = rest
	}
	defs, _ := t.output["$defs"].(map[string]any)
	return listed(object, t.output, defs).(map[string]any)
}

// decode unmarshals JSON; numbers keep their spelling.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// picture returns a drawing: as an image if it is one, else as text.
func picture(title, media, drawn string) []mcp.Content {
	if strings.HasPrefix(media, "image/") {
		return append(text(title), &mcp.ImageContent{MIMEType: media, Data: []byte(drawn)})
	}
	return text(title, drawn)
}

// lines returns an answer of JSON lines. If the answer was cut, it drops the last, incomplete line.
func (t *tool) lines(a *reply) (*mcp.CallToolResult, error) {
	whole, rest := a.body, ""
	if a.cut {
		whole = whole[:bytes.LastIndexByte(whole, '\n')+1]
		rest = fmt.Sprintf("There is more: these are the first %d KiB. Ask for fewer items.", maxAnswer>>10)
	}
	list := []any{}
	for line := range bytes.Lines(whole) {
		var v any
		if err := decode(line, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	result := &mcp.CallToolResult{Content: text(string(whole)), StructuredContent: t.structured(list, rest)}
	if rest != "" {
		result.Content = append(result.Content, text(rest)...)
	}
	return result, nil
}

func text(parts ...string) (out []mcp.Content) {
	for _, p := range parts {
		out = append(out, &mcp.TextContent{Text: p})
	}
	return out
}

func failed(why string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: text(why), IsError: true}
}

// queryOf returns a tool's arguments as the query of an operation without a body.
func queryOf(arguments map[string]any) url.Values {
	query := url.Values{}
	for name, value := range arguments {
		query.Set(name, fmt.Sprint(value))
	}
	return query
}

// words returns the reply's problem as text, with its places.
func (a *reply) words() string {
	var p rest.Problem
	if json.Unmarshal(a.body, &p) != nil || p.Title == "" {
		return fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	}
	return p.Words()
}
