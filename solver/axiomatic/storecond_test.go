package axiomatic_test

import (
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// A store-conditional without a load-reserved before it fails, under every model, whatever depends on its success.
func TestStoreConditionalAlone(t *testing.T) {
	for _, source := range []string{
		"RISCV sc\n{ 0:x5=x; 0:x6=y; 0:x1=1; }\nP0 ;\nsc.w x2,x1,0(x5) ;\nxor x3,x2,x2 ;\nori x3,x3,1 ;\n" +
			"sw x3,0(x6) ;\nbne x2,x0,L ;\nsw x3,0(x5) ;\nL: ;\nexists (0:x2=1 /\\ x=0 /\\ y=1)",
		"RISCV sc-behind-another\n{ 0:x5=x; 0:x6=y; 0:x1=1; }\nP0 ;\nlr.w x2,0(x5) ;\nsc.w x2,x1,0(x5) ;\n" +
			"sc.w x3,x1,0(x6) ;\nsw x3,0(x5) ;\nexists (0:x3=1 /\\ y=0)",
		"AArch64 sc\n{ 0:X5=x; 0:X6=y; 0:X1=1; }\nP0 ;\nSTXR W2,W1,[X5] ;\nSTR W2,[X6] ;\nexists (x=0 /\\ y=1)",
		"ARM sc\n{ 0:R5=x; 0:R6=y; 0:R1=1; }\nP0 ;\nSTREX R2,R1,[R5] ;\nSTR R2,[R6] ;\nexists (x=0 /\\ y=1)",
		"PPC sc\n{ 0:r5=x; 0:r6=y; 0:r1=1; 0:r7=0; }\nP0 ;\nstwcx. r1,r7,r5 ;\nbne L ;\nstw r1,0(r6) ;\n" +
			"L: ;\nexists (x=0 /\\ y=0)",
		"MIPS sc\n{ 0:t0=x; 0:t1=y; 0:t2=1; }\nP0 ;\nsc $t2,0($t0) ;\nsw $t2,0($t1) ;\nexists (x=0 /\\ y=0 /\\ 0:t2=0)",
	} {
		p, err := dialect.Parse("t", source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range models.Names() {
			m, _ := models.Find(name)
			r, err := axiomatic.Engine{}.Explore(t.Context(),
				solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
			if err != nil || r.Observation != solver.Always {
				t.Errorf("%s under %s: %+v, %v", p.Name, name, r, err)
			}
		}
	}
}
