package litmus

// ParseCondition parses a condition without a test, as logs print it: "exists (0:EAX=0 /\ [x]=1)".
func ParseCondition(file, text string) (c Condition, err error) {
	defer func() {
		if e := recover(); e != nil {
			bad, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			c, err = Condition{}, bad
		}
	}()
	p := &parser{scanner: newScanner(file, text), test: &Test{File: file, Source: text}}
	c = Condition{Pos: p.pos(), Quantifier: p.quantifier(), Prop: p.proposition()}
	if !p.done() {
		p.failf("got %s after the condition", p.next())
	}
	return c, nil
}
