// Package mappingcheck checks a compiler's mapping on one test: every outcome that the architecture's model allows for
// the compiled test, the language's model has to allow for the C test. If not, the mapping or a model is wrong; a
// single test cannot show that a mapping is right for all.
//
//	c, err := mappingcheck.Check(ctx, runner, mappingcheck.Question{Source: task, Made: made})
//	c.Verdict, c.Text()
//
// [Check] asks a runner about both tests and returns a [Checked]. It imports litmus/compile, models and solver: no
// engine.
package mappingcheck
