package evaluation_test

import (
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/modelstest"
)

// No text makes the parser of models panic or hang, and every model that it accepts can be evaluated.
func FuzzModel(f *testing.F) {
	for _, name := range models.Names() {
		m, _ := models.Find(name)
		f.Add(m.Text)
	}
	for _, text := range []string{
		"let f(x,y) = x;y\nlet rec r = po | r;r\nacyclic f(r,rf) as a\nshow r",
		"flag ~empty (rf \\ loc) as odd\nempty ~(po | po^-1) & loc & [R]",
		"let s = domain(rf) & range(co)\nirreflexive [s];po+;co*;fr?;rf^-1",
		"include \"stdlib.cat\"\nacyclic {} | 0",
		"let f(x) = x;x\nacyclic f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(po))))))))))))))))))))",
		"let f(x) = x;x\nlet rec r = f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(r))))))))))))))))))))\nacyclic r",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := models.Parse("fuzz.cat", text, dialect.Vocabulary())
		if err != nil {
			return
		}
		x := modelstest.Execution(t, modelstest.SB, [][]uint64{{0}, {0}}, map[int]int{3: 1, 5: 0}, []int{0, 1, 2, 4})
		evaluation.Check(m, x)
		display.Graph(x, m)
		m.Coherent()
		m.ForbidsThinAir()
		m.ForgetsReads()
	})
}
