package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

func main() {
	model := "rc11"
	props := []ir.Property{ir.Assertion}
	for _, f := range os.Args[1:] {
		if m, ok := strings.CutPrefix(f, "-m="); ok {
			model = m
			continue
		}
		if m, ok := strings.CutPrefix(f, "-p="); ok {
			props = nil
			for _, p := range strings.Split(m, "+") {
				props = append(props, ir.Property(p))
			}
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			panic(err)
		}
		for _, e := range []string{"axiomatic", "graphs"} {
			task := solver.VerifyTask{Files: []solver.SourceFile{{Name: filepath.Base(f), Text: string(text)}}, Model: model, Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: props}}
			task.Engine = e
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			start := time.Now()
			v, err := engines.Run(ctx, task)
			cancel()
			out := ""
			if err != nil {
				out = "ERR " + err.Error()
			} else {
				out = string(v.Verdict) + " " + v.Error + v.Reason
				if !v.Complete {
					out += " (within bounds)"
				}
				if v.Failure != nil {
					out += fmt.Sprintf(" %d: %s", v.Failure.Line, v.Failure.Text)
				}
				for _, r := range v.Remarks {
					out += " [" + fmt.Sprint(r) + "]"
				}
			}
			if len(out) > 300 {
				out = out[:300]
			}
			fmt.Printf("%s %s: %s (%v)\n", strings.TrimSuffix(filepath.Base(f), ".c"), e, strings.ReplaceAll(out, "\n", " | "), time.Since(start).Round(time.Millisecond))
		}
	}
}
