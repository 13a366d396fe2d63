package assistant

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// promptTable has frequent questions for an assistant's menu. {NAME} in a text stands for an argument.
var promptTable = []struct {
	name, title, about string
	arguments          []*mcp.PromptArgument
	text               string
}{
	{
		"explain-outcome", "Explain an outcome",
		"Why does a memory model allow or forbid the outcome of a litmus test?",
		[]*mcp.PromptArgument{
			{
				Name: "test", Description: "the text of a litmus test, or the name of a classic test such as SB",
				Required: true,
			},
			{Name: "model", Description: "the memory model, such as tso, aarch64 or rc11", Required: true},
		},
		"Does the memory model {model} allow the outcome that this litmus test asks about, and why?\n\n{test}\n\n" +
			"Ask litmuscope: explore with the option explain, then draw to get the execution. If only a name is " +
			"given, catalogue has the test. Explain the answer step by step with the events and edges that " +
			"litmuscope returns. Claim nothing that it does not say.",
	},
	{
		"check-program", "Check a C program",
		"Can a C program with threads fail under a memory model, and how can it be repaired?",
		[]*mcp.PromptArgument{
			{Name: "program", Description: "the C program's text", Required: true},
			{Name: "model", Description: "the memory model; default: rc11"},
		},
		"Can this C program fail under the memory model {model}?\n\n{program}\n\n" +
			"Ask litmuscope: verify with the properties assertion, data-race and memory. If the program is unsafe, " +
			"explain the witness thread by thread, and ask repair-program for a repair. " +
			"If the verdict is unknown, say which limit was reached and that nothing is decided.",
	},
	{
		"compare-models", "Compare two models", "Which smallest tests distinguish two memory models?",
		[]*mcp.PromptArgument{
			{Name: "left", Description: "a memory model", Required: true},
			{Name: "right", Description: "another memory model", Required: true},
			{Name: "arch", Description: "the architecture of the tests; default: X86"},
		},
		"Which tests of {arch} distinguish the memory models {left} and {right}?\n\n" +
			"Ask litmuscope: distinguish, then explore each test that it finds under both models with the option " +
			"explain. Say for each test what one model orders and the other does not.",
	},
}

// usualArguments are the defaults of optional arguments.
var usualArguments = map[string]string{"model": "rc11", "arch": "X86"}

func addPrompts(m *mcp.Server) {
	for _, p := range promptTable {
		m.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.about, Arguments: p.arguments},
			func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				var pairs []string
				for _, a := range p.arguments {
					value := r.Params.Arguments[a.Name]
					if value == "" && a.Required {
						return nil, fmt.Errorf("the prompt %s needs the argument %s: %s", p.name, a.Name, a.Description)
					}
					if value == "" {
						value = usualArguments[a.Name]
					}
					pairs = append(pairs, "{"+a.Name+"}", value)
				}
				return &mcp.GetPromptResult{
					Description: p.about,
					Messages: []*mcp.PromptMessage{
						{Role: "user", Content: &mcp.TextContent{Text: strings.NewReplacer(pairs...).Replace(p.text)}},
					},
				}, nil
			})
	}
}
