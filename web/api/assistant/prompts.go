package assistant

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// promptTable are questions that people ask often, as an assistant's menu has them. In a text, {NAME} stands for an
// argument.
var promptTable = []struct {
	name, title, about string
	arguments          []*mcp.PromptArgument
	text               string
}{
	{
		"explain-outcome", "Explain an outcome",
		"Why does a memory model allow or forbid what a litmus test asks about?",
		[]*mcp.PromptArgument{
			{
				Name: "test", Description: "the litmus test's text, or the name of a classic one, such as SB",
				Required: true,
			},
			{Name: "model", Description: "the memory model, such as tso, aarch64 or rc11", Required: true},
		},
		"Does the memory model {model} allow the outcome that this litmus test asks about, and why?\n\n{test}\n\n" +
			"Ask litmuscope: explore with the option explain, then draw for the execution. If only a name is given, " +
			"catalogue has the test. " +
			"Explain the answer step by step by the events and edges that litmuscope gives, and claim nothing that " +
			"it does not say.",
	},
	{
		"check-program", "Check a C program",
		"Can a C program with threads fail under a memory model, and what mends it?",
		[]*mcp.PromptArgument{
			{Name: "program", Description: "the C program's text", Required: true},
			{Name: "model", Description: "the memory model; rc11 where it is left out"},
		},
		"Can this C program fail under the memory model {model}?\n\n{program}\n\n" +
			"Ask litmuscope: verify with the properties assertion, data-race and memory. If it is unsafe, explain " +
			"the witness thread by thread, and ask repair-program what mends it. " +
			"If the verdict is unknown, say which limit was reached, and that nothing is decided.",
	},
	{
		"compare-models", "Compare two models", "Which smallest tests tell two memory models apart?",
		[]*mcp.PromptArgument{
			{Name: "left", Description: "a memory model", Required: true},
			{Name: "right", Description: "another memory model", Required: true},
			{Name: "arch", Description: "the architecture of the tests; X86 where it is left out"},
		},
		"What tells the memory models {left} and {right} apart in tests of {arch}?\n\n" +
			"Ask litmuscope: distinguish, then explore each test that it finds under both models with the option " +
			"explain. Say for each what one model orders and the other does not.",
	},
}

// usualArguments stand for those that are left out.
var usualArguments = map[string]string{"model": "rc11", "arch": "X86"}

func addPrompts(m *mcp.Server) {
	for _, p := range promptTable {
		m.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.about, Arguments: p.arguments},
			func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				var pairs []string
				for _, a := range p.arguments {
					value := r.Params.Arguments[a.Name]
					if value == "" && a.Required {
						return nil, fmt.Errorf("the prompt %s wants the argument %s: %s", p.name, a.Name, a.Description)
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
