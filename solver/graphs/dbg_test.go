package graphs

import (
	"os"
	"testing"

	"litmuscope/litmus/cprog"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

func TestDbg(t *testing.T) {
	text, _ := os.ReadFile(os.Getenv("F"))
	m, _ := models.Named(os.Getenv("M"))
	o := cprog.Options{Unroll: 2, Properties: []ir.Property{ir.Assertion}, Target: cprog.Language, Waits: ir.Waits{Reads: true}}
	p, err := cprog.Run(cprog.Source{Defines: []string{"N=" + os.Getenv("N")}, Files: []cprog.File{{Name: "t.c", Text: string(text)}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Engine{}.VerifyCode(t.Context(), p, solver.Query{Program: &ir.Program{File: "t.c"}, Model: m, Options: solver.DefaultOptions()}, solver.Verify{Count: true})
	t.Log(v, *v.Executions, steps, asked, err)
}
