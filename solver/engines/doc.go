// Package engines contains the table of engines (table.go): each engine's name, models and options, and which engine
// decides what it leaves open. [Admit] checks a question, and [Run] or [Local] answers it in this process:
//
//	if err := engines.Admit(task); err != nil { … } // words for the user
//	result, err := engines.Local{}.Run(ctx, task)
//
// The command line, the REST interface, the page and child processes all call Admit, so that all reject the same
// questions, such as an option that the engine does not use. [Key] identifies an answer in a cache without reading the
// test. [Inspect], [ReadProgram], [AnswerStroll], [Relax] and [Tour] answer the page's other questions about a test.
//
// The engine [Auto] asks several engines about a program ([Race]) and returns the first answer that decides. [Parts]
// divides an exploration by the engine graphs among several processes.
//
// It imports every engine, their shared packages, the dialects and the models.
package engines
